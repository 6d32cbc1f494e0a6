import { z } from 'zod'
import { Deck } from './deck.ts'

export const DECK_SCHEMA = 'test/conformance/deck.schema.json'

/** The format of a deck as a JSON Schema, for readers that are not written in TypeScript. */
export function deckSchemaText(): string {
  return `${JSON.stringify(z.toJSONSchema(Deck, { io: 'input' }), null, 1)}\n`
}
