import type * as z from 'zod'

export type JsonSchema = z.core.JSONSchema.BaseSchema

export type Reference = { $ref: string }

/** The content of a body in one media type. */
export type MediaType = { schema: JsonSchema; example?: unknown; examples?: Record<string, Reference> }

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  description: string
  required: boolean
  schema: JsonSchema
}

export type Response = {
  description: string
  headers?: Record<string, Reference>
  content?: Record<string, MediaType>
}

export type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  /** Omitted: the security of the document. Empty: no key is needed. */
  security?: object[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, MediaType> }
  responses: Record<string, Response | Reference>
}

/** The parts of OpenAPI 3.1 that the document uses. */
export type Document = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string; description: string }[]
  security: object[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Response>
    headers: Readonly<Record<string, { description: string; required?: boolean; schema: JsonSchema }>>
    examples: Record<string, { summary: string; value: unknown }>
    securitySchemes: Record<string, object>
  }
}

/** Real answers, by the id of their operation. */
export type Examples = Readonly<Record<string, unknown>>
