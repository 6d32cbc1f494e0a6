import { join } from 'node:path'
import { z } from 'zod'
import { PROJECT } from '../wrangler.ts'
import { Deck } from './deck.ts'

export const DECK_SCHEMA = join(PROJECT, 'test/conformance/deck.schema.json')

/** The format of a deck as a JSON Schema, for readers that are not written in TypeScript. */
export function deckSchemaText(): string {
  return `${JSON.stringify(z.toJSONSchema(Deck, { io: 'input' }), null, 1)}\n`
}
