/** A rate in millionths for people: 200_000 is `20 %`, 88_750 is `8.875 %`. */
export function percent(rate_millionths: number): string {
  return `${rate_millionths / 10_000} %`
}

/** A rate as a fraction: 0.08875 is `8.875 %`. */
export function percentOf(rate: number): string {
  return percent(Math.round(rate * 1_000_000))
}
