import { feature, route } from '../../platform/http/route.ts'
import { SuggestionsAnswer, SuggestionsQuery } from './schemas.ts'
import { suggestTypes } from './suggest-types.ts'

const serves = ['/v1/metadata/product-types/suggest']

export const suggestionRoutes = feature(serves, [
  route({
    tag: 'Metadata',
    method: 'get',
    scope: 'tax:read',
    path: '/v1/metadata/product-types/suggest',
    operation: 'getProductTypeSuggestions',
    client: 'metadata.suggestProductTypes',
    summary: 'Suggest product types for a description',
    description:
      'Compares the words with a table that `data/product-words.json` shows. Nothing applies a suggestion: ' +
      'a person decides, and sends the type as `product_type` of a line.',
    query: SuggestionsQuery,
    answer: SuggestionsAnswer,
    etag: true,
    handle: (_context, { query }) => suggestTypes(query),
  }),
])
