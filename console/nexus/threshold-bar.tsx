import { formatShare } from '../format.ts'

/** The share at the right end of a bar. More is told in figures. */
const END = 1.25

/** How much of a threshold is reached, with marks at 85 % and 100 %. `ratio` 1 reaches it. */
export function ThresholdBar({ ratio, state }: { ratio: number; state: string }) {
  const at = (share: number) => (share / END) * 100
  return (
    <svg
      class={`threshold-bar ${state}`}
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${formatShare(ratio)} of the threshold`}
    >
      <rect class="track" y="2" width="100" height="6" />
      <rect class="reached" y="2" width={Math.min(100, at(ratio))} height="6" />
      <line class="near" x1={at(0.85)} x2={at(0.85)} y1="0" y2="10" />
      <line class="limit" x1={at(1)} x2={at(1)} y1="0" y2="10" />
    </svg>
  )
}
