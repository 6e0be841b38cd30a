#include <cstdint>
#include <vector>

static std::vector<std::vector<int>> graph;

extern "C" void build(int nodes, int degree) {
    graph.assign(nodes, {});
    for (int n = 0; n < nodes; n++)
        for (int d = 1; d <= degree; d++) graph[n].push_back((n * 31 + d * 17) % (nodes + 1));
}

extern "C" int64_t walk(int start, int length) {
    int64_t sum = 0;
    int node = start;
    for (int i = 0; i < length; i++) {
        node = graph.at(node).at(i % graph.at(node).size());
        sum += node;
    }
    return sum;
}
