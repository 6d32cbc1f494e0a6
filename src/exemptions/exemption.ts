import type { ExemptionStatus } from './moves.ts'

/** An exemption of a customer, in the database as in the API: 2.3 of the specification. */
export type Exemption = {
  id: string
  jurisdiction_id: string
  exemption_type: 'resale' | 'nonprofit' | 'government' | 'other'
  certificate_number: string
  certificate_url: string | null
  valid_from: string
  valid_to: string | null
  status: ExemptionStatus
  verification_notes: string | null
  created_at: string
  updated_at: string
}
