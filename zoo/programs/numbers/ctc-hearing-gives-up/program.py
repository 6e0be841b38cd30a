import argparse
import logging
import sys

import torch

log = logging.getLogger("asr_train")


def read_conf(path):
    conf = {}
    for line in open(path):
        k, v = line.split(":")
        v = v.strip()
        conf[k.strip()] = float(v) if v.replace(".", "").isdigit() else v
    return conf


class Encoder(torch.nn.Module):
    def __init__(self, ntok=12, feat=20):
        super().__init__()
        self.rnn = torch.nn.GRU(feat, 48, batch_first=True, bidirectional=True)
        self.out = torch.nn.Linear(96, ntok)

    def forward(self, x):
        return self.out(self.rnn(x)[0] * 4).log_softmax(-1)


def utterances(proto, n=16, frames=30, words=5):
    y = torch.randint(1, 12, (n, words))
    x = proto[y].repeat_interleave(frames // words, 1)
    return x + torch.randn_like(x) * 0.7, y


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--config", required=True)
    conf = read_conf(p.parse_args().config)
    logging.basicConfig(level="INFO", format="%(levelname)s:%(name)s:%(lineno)d: %(message)s", stream=sys.stderr)
    log.info("conf %s", conf)
    torch.manual_seed(0)
    proto = torch.randn(12, 20)
    net = Encoder()
    opt = torch.optim.SGD(net.parameters(), lr=conf["lr"], momentum=conf["momentum"])
    lens = torch.full((16,), 30), torch.full((16,), 5)
    best, bad, avg = 1e9, 0, None
    for update in range(1, int(conf["max_updates"]) + 1):
        x, y = utterances(proto)
        loss = torch.nn.functional.ctc_loss(net(x).transpose(0, 1), y, *lens, zero_infinity=True)
        opt.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 1e9)
        opt.step()
        avg = loss.item() if avg is None else 0.95 * avg + 0.05 * loss.item()
        best = min(best, avg)
        bad = bad + 1 if avg > conf["patience_factor"] * best else 0
        if update % 10 == 0:
            log.info("updates=%d loss_ctc=%.3f loss_avg=%.3f grad=%.2f lr=%g", update, loss.item(), avg, norm.item(), conf["lr"])
        if bad >= conf["patience_updates"]:
            log.error("loss_avg %.2f has been above %.1f x its best value (%.2f) for %d updates, this run is not going anywhere", avg, conf["patience_factor"], best, bad)
            return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
