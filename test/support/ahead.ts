/**
 * A `Date` whose clock is so many milliseconds ahead of the real one, and runs on from there. Refers to
 * nothing outside, so that its text works in a browser, too.
 */
export function ahead(real: DateConstructor, ms: number): DateConstructor {
  const real_now = real.now
  const now = () => real_now() + ms
  // Not a trap: a test may replace it.
  real.now = now
  return new Proxy(real, {
    apply: () => new real(now()).toString(),
    construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
  })
}
