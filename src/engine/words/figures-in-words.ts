/** A rate in millionths: 200_000 is `20 %`, 88_750 is `8.875 %`. */
export function percentInWords(rate_millionths: number): string {
  return `${rate_millionths / 10_000} %`
}
