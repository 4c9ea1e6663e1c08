// Layer and RMS normalisation, forward and backward, with and without the residual, against the reference in double:
// short and long rows, rows that begin anywhere, columns that fill no pack, few and many blocks.
// RUN: %cases
#include "row_checks.h"

#include "../../kernels/transformer/norm.cuh"
#include "../../kernels/transformer/norm_reference.h"

namespace {

const float kEpsilon = 1e-5f;

struct Size {
  size_t rows, columns, stride;
  unsigned threads, teams, blocks;
};

template <NormKind Kind, bool Residual, RowLayout Layout, int Packs, typename Element,
          bool Staged = Layout == RowAligned, int Threads = 0>
void check(Cases &cases, Random &random, Size size) {
  const RowTeams t = {size.threads, size.teams, Packs, size.blocks};
  const NormShape shape = norm_shape(size.rows, size.columns, size.stride, kEpsilon);
  const size_t count = size.rows * size.stride, columns = size.columns;
  const size_t arrays = Kind == LayerNorm ? 2 : 1, teams = (size_t)t.blocks * t.teams;
  const std::vector<Element> input = random_elements<Element>(random, count, -1, 3);
  const std::vector<Element> residual = random_elements<Element>(random, count, -1, 1);
  const std::vector<Element> gamma = random_elements<Element>(random, columns, 0.5f, 1.5f);
  const std::vector<Element> beta = random_elements<Element>(random, columns, -1, 1);
  const std::vector<Element> dy = random_elements<Element>(random, count, -1, 1);
  Array<Element> d_input(input), d_residual(residual), d_gamma(gamma), d_beta(beta), d_dy(dy);
  Array<Element> d_sum(count), d_y(count), d_dx(count), d_dgamma(columns), d_dbeta(columns);
  Array<float> d_mean(size.rows), d_rstd(size.rows), d_partials(teams * arrays * columns);

  char title[200];
  snprintf(title, sizeof title,
           "%s%s%s, %s, %s, %zu rows of %zu of %zu, %u packs, %u x %u threads, %u blocks",
           Kind == LayerNorm ? "layer norm" : "RMS norm", Residual ? " and residual" : "",
           Staged ? ", staged" : "", Layout == RowAligned ? "aligned" : "unaligned", ElementOf<Element>::name,
           size.rows, columns, size.stride, Packs, t.threads, t.teams, t.blocks);
  cases.begin(title);
  const dim3 block(t.threads, t.teams);
  norm_forward<Kind, Residual, Layout, Packs, Element>
      <<<t.blocks, block>>>(d_input.get(), d_residual.get(), d_gamma.get(), d_beta.get(), d_sum.get(),
                            d_y.get(), d_mean.get(), d_rstd.get(), shape);
  const size_t partial_rows = Staged ? t.blocks : teams;
  if constexpr (Staged)
    norm_backward_staged<Kind, Residual, Packs, Element, Threads>
        <<<t.blocks, block, norm_staged_shared(Kind, Residual, shape, t)>>>(
            d_dy.get(), Residual ? d_sum.get() : d_input.get(), d_residual.get(), d_gamma.get(), d_mean.get(),
            d_rstd.get(), d_dx.get(), d_partials.get(), shape);
  else
    norm_backward<Kind, Residual, Layout, Packs, Element>
        <<<t.blocks, block>>>(d_dy.get(), Residual ? d_sum.get() : d_input.get(), d_residual.get(),
                              d_gamma.get(), d_mean.get(), d_rstd.get(), d_dx.get(), d_partials.get(), shape);
  column_sums<Element><<<dim3((unsigned)ceil_div(columns, kColumnSumsWidth), (unsigned)arrays),
                         dim3(kColumnSumsWidth, kColumnSumsHeight)>>>(
      d_partials.get(), d_dgamma.get(), d_dbeta.get(), partial_rows, shape.columns);
  cases.launched();

  const std::vector<float> in = to_values(input), added = to_values(residual), g = to_values(gamma),
                           b = to_values(beta), grad = to_values(dy), sums = to_values(d_sum.read()),
                           y = to_values(d_y.read()), dx = to_values(d_dx.read()), means = d_mean.read(),
                           rstds = d_rstd.read(), dgamma = to_values(d_dgamma.read()),
                           dbeta = to_values(d_dbeta.read());
  Difference sum_error, mean_error, rstd_error, y_error, dx_error, dgamma_error, dbeta_error;
  std::vector<double> dgammas(columns), dbetas(columns), dxs(columns);
  for (size_t r = 0; r < size.rows; ++r) {
    const size_t at = r * size.stride;
    double mean, rstd;
    const float *x = Residual ? &sums[at] : &in[at];
    norm_statistics_reference(x, columns, Kind == LayerNorm, kEpsilon, &mean, &rstd);
    norm_backward_reference(&grad[at], x, g.data(), columns, Kind == LayerNorm, mean, rstd, dxs.data(),
                            dgammas.data(), dbetas.data());
    if (Kind == LayerNorm)
      mean_error.add(means[r], mean);
    rstd_error.add(rstds[r], rstd);
    for (size_t c = 0; c < columns; ++c) {
      if (Residual)
        sum_error.add(sums[at + c], (double)in[at + c] + added[at + c]);
      y_error.add(y[at + c], norm_value_reference(x[c], mean, rstd, g[c], Kind == LayerNorm ? b[c] : 0));
      dx_error.add(dx[at + c], dxs[c] + (Residual ? added[at + c] : 0));
    }
  }
  for (size_t c = 0; c < columns; ++c) {
    dgamma_error.add(dgamma[c], dgammas[c]);
    if (Kind == LayerNorm)
      dbeta_error.add(dbeta[c], dbetas[c]);
  }
  const double bound = NORM_BOUND, stored = bound + ElementOf<Element>::rounding;
  sum_error.expect(cases, "sums", stored);
  mean_error.expect(cases, "means", bound);
  rstd_error.expect(cases, "reciprocal deviations", bound);
  y_error.expect(cases, "results", stored);
  dx_error.expect(cases, "input gradients", stored);
  dgamma_error.expect(cases, "gradients of gamma", stored);
  dbeta_error.expect(cases, "gradients of beta", stored);
  cases.end(norm_forward_cost(Kind, Residual, shape, t, sizeof(Element)) +
            (Staged ? norm_backward_staged_cost(Kind, Residual, shape, t, sizeof(Element))
                    : norm_backward_cost(Kind, Residual, shape, t, sizeof(Element))) +
            column_sums_cost(partial_rows, arrays, columns, sizeof(Element)));
}

void check_all(Cases &cases, Random &random) { // a case costs a second of compilation
  check<LayerNorm, false, RowAligned, 1, Fp16, false>(cases, random, {5, 253, 256, 32, 4, 2});
  check<LayerNorm, true, RowAligned, 1, Bf16>(cases, random, {3, 520, 528, 96, 1, 1});
  check<LayerNorm, true, RowAligned, 3, float>(cases, random, {2, 380, 380, 32, 2, 2});
  check<LayerNorm, false, RowUnaligned, 1, float>(cases, random, {7, 129, 131, 64, 1, 9});
  check<LayerNorm, false, RowAligned, 2, Bf16, true, 96>(cases, random, {3, 1048, 1048, 96, 1, 2});
  check<RmsNorm, false, RowAligned, 1, float>(cases, random, {9, 4, 4, 32, 8, 2});
  check<RmsNorm, true, RowUnaligned, 1, Bf16>(cases, random, {4, 77, 77, 32, 1, 3});
  check<RmsNorm, true, RowAligned, 1, Bf16, false>(cases, random, {4, 77, 80, 32, 1, 3});
  check<RmsNorm, false, RowAligned, 2, Fp16>(cases, random, {3, 4000, 4000, 256, 1, 2});
}

/* The largest blocks that norm_backward_staged may be launched with, or no packs where the row is too long. */
void check_staged_teams(Cases &cases) {
  cases.begin("teams of staged rows");
  cases.launched();
  for (size_t packs = 1; packs <= 8 * kRowThreads + 1; ++packs) {
    const RowTeams t = norm_staged_teams(100, 4 * packs, sizeof(float), 10);
    const unsigned most = t.packs <= 2 ? kRowThreads : kRowThreads / 2;
    if ((t.packs == 0) != (packs > 2 * kRowThreads))
      cases.fail("rows of %zu packs have %u packs a thread", packs, t.packs);
    else if (t.threads * t.teams > most)
      cases.fail("rows of %zu packs have blocks of %u threads", packs, t.threads * t.teams);
  }
  cases.end(ClosedForm());
}

} // namespace

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  Random random(7);
  check_all(cases, random);
  check_staged_teams(cases);
  return cases.finish();
}
