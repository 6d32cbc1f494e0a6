import { percentInWords } from '../../engine/words/figures-in-words.ts'

/** A rate as a fraction: 0.08875 is `8.875 %`. */
export function percentOf(rate: number): string {
  return percentInWords(Math.round(rate * 1_000_000))
}
