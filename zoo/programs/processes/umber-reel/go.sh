#!/bin/bash
cat > t.cpp <<'C'
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
#include <stdexcept>
#include <random>
struct Ring { std::vector<float> b; explicit Ring(size_t n):b(n){} float& at(size_t i){ return b.at(i);} };
int main(){ std::mt19937 g(7); std::normal_distribution<float> d(0,1); Ring r(4096); float w[8]={0}; float tw[8]={1,-2,.5,0,3,.1,-1,.7}; size_t pos=0;
 setvbuf(stdout,0,_IONBF,0); printf("streamseg-cpp 2.4 (sgd, window 8, ring 4096)\n");
 for(int s=1;s<=6000;s++){ float x[8],y=0,p=0; for(int j=0;j<8;j++){x[j]=d(g); y+=tw[j]*x[j]; p+=w[j]*x[j]; r.at(pos++)=x[j]; if(pos==4096 && s<4000) pos=0;} y+=.1f*d(g);
  float e=p-y; for(int j=0;j<8;j++) w[j]-=.01f*e*x[j]; if(s%150==0){ if(s==4050) printf("switch to long window (segment 2)\n"); printf("tick %d  abs_err %.4f  |w| %.3f\n",s,std::fabs(e),std::sqrt(w[0]*w[0]+w[1]*w[1]+w[4]*w[4])); } }
 printf("done\n"); }
C
g++ -O1 t.cpp -o streamseg && ./streamseg; rc=$?
echo "go.sh: streamseg rc=$rc"; exit $rc
