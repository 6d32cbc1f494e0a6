// The types of openapi-typescript, with `string & {}` for the words of a list that is open: TypeScript would make
// plain texts of `'state' | 'local' | string`, and editors would suggest none of the words.
// Run with Node: `node openapi-typescript.mjs openapi.json types.ts`.
import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const { factory, SyntaxKind, isUnionTypeNode } = ts
const [document, out] = process.argv.slice(2)
const word = () =>
  factory.createParenthesizedType(
    factory.createIntersectionTypeNode([
      factory.createKeywordTypeNode(SyntaxKind.StringKeyword),
      factory.createTypeLiteralNode([]),
    ]),
  )
const types = await openapiTS(pathToFileURL(document), {
  postTransform: (type) =>
    isUnionTypeNode(type)
      ? factory.createUnionTypeNode(
          type.types.map((each) => (each.kind === SyntaxKind.StringKeyword ? word() : each)),
        )
      : type,
})
writeFileSync(out, astToString(types))
