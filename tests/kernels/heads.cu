// Heads apart and together, with and without rotation: right, and as costly as the formula says.
// RUN: %cases
#include "row_checks.h"

#include "../../kernels/transformer/heads.cuh"

template <typename Element> struct Heads {
  HeadsShape shape;
  size_t elements;
  Random random{1};
  std::vector<float2> angles;
  std::vector<Element> rows, parts[3];

  explicit Heads(const HeadsShape &s)
      : shape(s), elements((size_t)s.batch * s.length * s.heads * s.size), angles((size_t)s.length * s.size / 2),
        rows(random_elements<Element>(random, elements * s.parts, -2, 2)) {
    rotary_turns(angles.data(), s.length, s.size, 10000);
    for (int part = 0; part < s.parts; ++part)
      parts[part] = random_elements<Element>(random, elements, -2, 2);
  }
  size_t in_rows(int part, int batch, int head, int position, int i) const {
    return (((size_t)batch * shape.length + position) * shape.parts + part) * shape.heads * shape.size + head * shape.size + i;
  }
  size_t in_heads(int batch, int head, int position, int i) const {
    return (((size_t)batch * shape.heads + head) * shape.length + position) * shape.size + i;
  }
  /* An element after the rotation; `value` gives the one at i of the same head. */
  template <typename Value> double rotated(int part, int position, int i, bool back, Value value) const {
    const int half = shape.size / 2, pair = i % half;
    if (part >= shape.rotated)
      return value(i);
    const double angle = position * std::pow(10000.0, -2.0 * pair / shape.size) * (back ? -1 : 1);
    const double x = value(pair), y = value(pair + half);
    return i < half ? x * std::cos(angle) - y * std::sin(angle) : x * std::sin(angle) + y * std::cos(angle);
  }
};

template <typename Element, HeadsDirection Direction> static void check(Cases &cases, const HeadsShape &shape) {
  typedef ElementOf<Element> Of;
  const Heads<Element> data(shape);
  const Array<Element> rows(data.rows);
  const Array<float2> angles(data.angles);
  const Array<Element> first(data.parts[0]), second(data.parts[shape.parts > 1]), third(data.parts[shape.parts > 2 ? 2 : 0]);
  const Array<Element> *const parts[] = {&first, &second, &third};
  const ClosedForm cost = heads_cost(shape);
  cases.begin(format("%s %s, %d of %d parts rotated, %d heads of %d, length %d", Of::name, Direction == kToHeads ? "apart" : "together",
                     shape.rotated, shape.parts, shape.heads, shape.size, shape.length));
  move_heads<Direction, Element>
      <<<heads_grid(shape), kHeadsBlock>>>({rows.get(), {first.get(), second.get(), third.get()}, angles.get()}, shape);
  cases.launched();
  Difference difference;
  const std::vector<Element> together = rows.read();
  for (int part = 0; part < shape.parts; ++part) {
    const std::vector<Element> apart = parts[part]->read();
    for (int b = 0; b < shape.batch; ++b)
      for (int h = 0; h < shape.heads; ++h)
        for (int t = 0; t < shape.length; ++t)
          for (int i = 0; i < shape.size; ++i) {
            const bool back = Direction == kToRows;
            const double expected = data.rotated(part, t, i, back, [&](int k) {
              return (double)Of::value(back ? data.parts[part][data.in_heads(b, h, t, k)] : data.rows[data.in_rows(part, b, h, t, k)]);
            });
            difference.add(Of::value(back ? together[data.in_rows(part, b, h, t, i)] : apart[data.in_heads(b, h, t, i)]), expected);
          }
  }
  difference.expect(cases, "elements", Of::rounding + 1e-6);
  cases.expect("move_heads", cost, {{"heads.move", cost}});
  cases.end(cost);
}

template <typename Element> static void check_all(Cases &cases) {
  check<Element, kToHeads>(cases, {2, 33, 3, 64, 3, 2});
  check<Element, kToRows>(cases, {2, 33, 3, 64, 3, 2});
  check<Element, kToRows>(cases, {1, 17, 2, 128, 1, 0});
  check<Element, kToHeads>(cases, {3, 5, 1, 16, 1, 1});
}

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  check_all<SnnHalf>(cases);
  check_all<SnnBfloat16>(cases);
  return cases.finish();
}
