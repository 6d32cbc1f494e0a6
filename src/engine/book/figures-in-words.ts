/** A rate in millionths: 200_000 is `20 %`, 88_750 is `8.875 %`. */
export function percentInWords(rate_millionths: number): string {
  return `${rate_millionths / 10_000} %`
}

/** A category of rates in a sentence: `reduced_2` is `second reduced`. */
export function categoryInWords(category: string): string {
  if (category === 'reduced_2') return 'second reduced'
  return category === 'super_reduced' ? 'super-reduced' : category
}
