import { type SampleRequest, variablesOf } from './requests.ts'

/** A collection in the .http form of JetBrains' HTTP Client and of the REST Client of VS Code. */
export function httpFile(requests: readonly SampleRequest[]): string {
  const variables = [...variablesOf(requests)].map(([name, value]) => `@${name} = ${value}`)
  const head = [
    '# Made by `npm run generate` from the OpenAPI document. Set the key that `npm run dev` printed.',
    '@url = http://127.0.0.1:8787',
    '@key = tcs_test_',
    '# Copy ids from answers.',
    ...variables,
  ]
  return `${[head.join('\n'), ...requests.map(requestText)].join('\n\n')}\n`
}

function requestText({ name, id, method, path, query, body, has_key }: SampleRequest): string {
  const search = query
    .filter(({ on }) => on)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(parameter.value)}`)
    .join('&')
  return [
    `### ${name}`,
    `# @name ${id}`,
    `${method} {{url}}${path.replace(/\{(\w+)\}/g, '{{$1}}')}${search === '' ? '' : `?${search}`}`,
    ...(has_key ? ['Authorization: Bearer {{key}}'] : []),
    ...(body === null ? [] : ['Content-Type: application/json', '', JSON.stringify(body, null, 2)]),
  ].join('\n')
}
