import type { LocalAddress } from '../../src/engine/regimes/us-local/local-stack.ts'

/** An address whose whole rate a person looked up, millionths. */
export type Anchor = {
  state: string
  address: LocalAddress
  rate: number
  /** The first day of the rate, and the last one for which it was looked up. */
  from: string
  known_until: string
}

const LOOKED_UP_UNTIL = '2026-12-31'

function anchor(
  state: string,
  zip5: string,
  city: string | null,
  percent: number,
  from = '2026-01-01',
): Anchor {
  return {
    state,
    address: { zip5, zip4: null, city },
    rate: Math.round(percent * 10_000),
    from,
    known_until: LOOKED_UP_UNTIL,
  }
}

/** Rates as the departments of revenue of the states publish them. */
export const ANCHORS: readonly Anchor[] = [
  anchor('WA', '98101', 'Seattle', 10.55),
  anchor('WA', '98402', 'Tacoma', 10.5),
  anchor('KS', '66604', 'Topeka', 9.35),
  anchor('NY', '10001', null, 8.875),
  anchor('IL', '60601', 'Chicago', 10.5, '2026-08-01'),
  anchor('GA', '30303', 'Atlanta', 8.9),
  anchor('MN', '55401', 'Minneapolis', 9.025),
  anchor('CA', '94105', null, 8.625),
  anchor('TX', '75201', 'Dallas', 8.25),
  anchor('AZ', '85001', 'Phoenix', 9.1),
  anchor('AL', '35203', 'Birmingham', 10),
  anchor('VA', '23219', null, 6),
  anchor('TN', '37203', 'Nashville', 9.75),
]
