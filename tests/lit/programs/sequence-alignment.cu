// Needleman and Wunsch: the scores of all pairs of prefixes of two sequences, by tiles along the anti-
// diagonals, and within a tile by the anti-diagonals again.
// RUN: %program_by_clones
#include "program.h"
#include <algorithm>

enum { TILE = 16, TILES = 6, N = TILE * TILES, PITCH = N + 1, GAP = -2, MATCH = 3, MISMATCH = -1 };

__device__ __host__ int largest(int a, int b, int c) { return a > b ? (a > c ? a : c) : (b > c ? b : c); }

#pragma gpuprof region("alignment")
__global__ void tiles(const char *a, const char *b, int *score, int diagonal, int first) {
  __shared__ int s[TILE + 1][TILE + 1];
  __shared__ char left[TILE], above[TILE];
  int t = threadIdx.x, tx = first + blockIdx.x, ty = diagonal - tx;
  int *corner = score + ty * TILE * PITCH + tx * TILE; // of the row and column before the tile
  left[t] = a[ty * TILE + t];
  above[t] = b[tx * TILE + t];
  s[t + 1][0] = corner[(t + 1) * PITCH];
  s[0][t + 1] = corner[t + 1];
  if (t == 0)
    s[0][0] = corner[0];
  __syncthreads();
#pragma gpuprof region("alignment.wavefront")
  for (int d = 0; d < 2 * TILE - 1; d++) {
    int y = t, x = d - t;
    if (x >= 0 && x < TILE) {
      int same = left[y] == above[x] ? MATCH : MISMATCH;
      s[y + 1][x + 1] = largest(s[y][x] + same, s[y][x + 1] + GAP, s[y + 1][x] + GAP);
#pragma gpuprof count("cells", 1)
    }
    __syncthreads();
  }
  for (int y = 1; y <= TILE; y++)
    corner[y * PITCH + t + 1] = s[y][t + 1];
}

int main() {
  Buffer<char> a(N), b(N);
  Buffer<int> score(PITCH * PITCH);
  Random random;
  for (int i = 0; i < N; i++) {
    a[i] = "ACGT"[random.below(4)];
    b[i] = random.below(3) ? a[i] : "ACGT"[random.below(4)];
  }
  for (int i = 0; i <= N; i++)
    score[i] = score[i * PITCH] = i * GAP;
  a.up();
  b.up();
  score.up();
  std::vector<int> expected = score.host;
  for (int diagonal = 0; diagonal < 2 * TILES - 1; diagonal++) {
    int first = std::max(0, diagonal - TILES + 1), last = std::min(diagonal, TILES - 1);
    tiles<<<last - first + 1, TILE>>>(a.device, b.device, score.device, diagonal, first);
  }
  score.down();
  for (int y = 1; y <= N; y++)
    for (int x = 1; x <= N; x++) {
      const int *at = &expected[y * PITCH + x];
      expected[y * PITCH + x] =
          largest(at[-PITCH - 1] + (a[y - 1] == b[x - 1] ? MATCH : MISMATCH), at[-PITCH] + GAP, at[-1] + GAP);
    }
  EXPECT(score.host == expected && score[PITCH * PITCH - 1] > 0);

  // A tile: two letters and two scores a thread, and the corner; a cell: two letters, three scores, one
  // stored.
  const long long all = TILES * TILES, cells = N * N;
  counts("region:alignment.wavefront", {{"bytes.shared.load", (2 + 12) * cells},
                                        {"bytes.shared.store", 4 * cells},
                                        {"user_counters.cells", cells}});
  counts("tiles", {{"bytes.global.load", all * (10 * TILE + 4)},
                   {"bytes.global.store", 4 * cells},
                   {"bytes.shared.load", (2 + 12 + 4) * cells},
                   {"bytes.shared.store", all * (10 * TILE + 4) + 4 * cells},
                   {"user_counters.cells", cells}});
  return finish();
}
