import data from '../../../data/einvoice/texts.json' with { type: 'json' }
import type { InvoiceTexts } from '../../engine/einvoice/texts.ts'

/** The sentences of data/einvoice/texts.json. */
export const TEXTS: InvoiceTexts = data
