import { keysOf } from '../../platform/kit/keys-of.ts'
import type { StoredExemption } from './exemption.ts'

/** Reasons of a form of several states, with where its letters were read. */
type ReasonForm = {
  form: string
  /** The country of the states. */
  country: string
  revised: string
  source_url: string
  /** Null: we have read a copy of the form, but not the form at its authority. */
  verified_at: string | null
  reasons: Readonly<Record<string, string>>
}

/** The reasons of the certificate that all states of the Streamlined Sales Tax Agreement accept. */
export const F0003 = {
  form: 'SSTGB Form F0003, Certificate of Exemption',
  country: 'US',
  revised: '2021-12-21',
  source_url: 'https://www.streamlinedsalestax.org/Shared-Pages/exemptions',
  verified_at: null,
  reasons: {
    A: 'Federal government',
    B: 'State or local government',
    C: 'Tribal government',
    D: 'Foreign diplomat',
    E: 'Charitable organization',
    F: 'Religious organization',
    G: 'Resale',
    H: 'Agricultural production',
    I: 'Industrial production or manufacturing',
    J: 'Direct pay permit',
    K: 'Direct mail',
    L: 'Other',
    M: 'Educational organization',
  },
} as const satisfies ReasonForm

export const REASON_CODES = keysOf(F0003.reasons)

/** The kind of exemption of each reason. */
export const KIND_OF_REASON = {
  A: 'government',
  B: 'government',
  C: 'government',
  D: 'other',
  E: 'nonprofit',
  F: 'nonprofit',
  G: 'resale',
  H: 'other',
  I: 'other',
  J: 'other',
  K: 'other',
  L: 'other',
  M: 'nonprofit',
} as const satisfies Record<(typeof REASON_CODES)[number], StoredExemption['exemption_type']>
