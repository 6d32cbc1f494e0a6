import { writeFileSync } from 'node:fs'
import { LAW_DECK, lawDeckText } from './conformance/law-cases.ts'
import { deckSchemaText, DECK_SCHEMA } from './conformance/deck-schema.ts'

writeFileSync(LAW_DECK, lawDeckText())
writeFileSync(DECK_SCHEMA, deckSchemaText())
console.log('Wrote test/conformance/law.json and test/conformance/deck.schema.json')
