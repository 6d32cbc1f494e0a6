import { type SampleRequest, variablesOf } from './requests.ts'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/**
 * A collection of Postman, version 2.1, with a folder for each tag. A request that makes something stores its
 * id in a variable, for the requests after it.
 */
export function postmanCollection(title: string, requests: readonly SampleRequest[]) {
  const groups = [...new Set(requests.map(({ group }) => group))]
  return {
    info: {
      name: title,
      description: 'Made by `npm run generate` from the OpenAPI document. Set the variable `key`.',
      schema: SCHEMA,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'url', value: 'http://127.0.0.1:8787' },
      { key: 'key', value: '' },
      ...[...variablesOf(requests)].map(([key, value]) => ({ key, value })),
    ],
    item: groups.map((name) => ({
      name,
      item: requests.filter(({ group }) => group === name).map(itemOf),
    })),
  }
}

function itemOf({ name, description, method, path, query, body, has_key, keyed, makes }: SampleRequest) {
  return {
    name,
    request: {
      method,
      description,
      ...(!has_key && { auth: { type: 'noauth' } }),
      header: [
        ...(keyed ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
        ...(body === null ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
      ],
      ...(body !== null && {
        body: {
          mode: 'raw',
          raw: JSON.stringify(body, null, 2),
          options: { raw: { language: 'json' } },
        },
      }),
      url: urlOf(path, query),
    },
    response: [],
    ...(makes !== null && {
      event: [{ listen: 'test', script: { type: 'text/javascript', exec: keepsId(makes) } }],
    }),
  }
}

function urlOf(path: string, query: SampleRequest['query']) {
  const written = path.replace(/\{(\w+)\}/g, '{{$1}}')
  const search = query
    .filter(({ on }) => on)
    .map(({ name, value }) => `${name}=${value}`)
    .join('&')
  return {
    raw: `{{url}}${written}${search === '' ? '' : `?${search}`}`,
    host: ['{{url}}'],
    path: written.split('/').slice(1),
    ...(query.length > 0 && {
      query: query.map(({ name, value, on, description }) => ({
        key: name,
        value,
        description,
        ...(!on && { disabled: true }),
      })),
    }),
  }
}

function keepsId(variable: string): string[] {
  return [
    'const made = pm.response.json()',
    `if (made.id ?? made.key_id) pm.collectionVariables.set('${variable}', made.id ?? made.key_id)`,
  ]
}
