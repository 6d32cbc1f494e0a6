import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { unstable_splitSqlQuery } from 'wrangler'

/** A part of an upload. */
export type Part = { name: string; type: string; text: string }

/** A request. `path` begins below the account. */
type Asked = {
  method: string
  path: string
  query: URLSearchParams
  text: string
  json: Record<string, unknown>
  parts: readonly Part[]
}

/** Null: there is no such thing. `fault`: Cloudflare refuses it, with this code. */
type Answer = { result: unknown } | { code: number; fault: string } | null

type Binding = { name: string; type: string } & Record<string, unknown>
type Version = {
  id: string
  number: number
  metadata: { created_on: string; source: string; author_email: string }
  annotations: Record<string, string>
  resources: { bindings: Binding[]; script: { etag: string; handlers: string[] } }
}
type Deployment = {
  id: string
  created_on: string
  source: string
  author_email: string
  strategy: 'percentage'
  annotations: Record<string, string>
  versions: { version_id: string; percentage: number }[]
}
type Script = { versions: Version[]; deployments: Deployment[]; secrets: Map<string, string> }
type Database = {
  uuid: string
  name: string
  data: DatabaseSync
  replication: string
  jurisdiction: string | null
}
type Queue = { queue_id: string; queue_name: string; consumers: Record<string, unknown>[] }

/** The state of an account: what a deploy makes in it. Names are unique, as at Cloudflare. */
export class CloudflareAccount {
  readonly databases: Database[] = []
  readonly namespaces: { id: string; title: string; keys: Map<string, string> }[] = []
  readonly queues: Queue[] = []
  readonly scripts = new Map<string, Script>()
  readonly uploads: Part[][] = []
  private made = 0

  /** Answers a request: the first row that fits. */
  answer(asked: Asked): Answer {
    for (const [method, pattern, handle] of this.routes) {
      const found = pattern.exec(asked.path)
      if (method === asked.method && found !== null)
        return handle(asked, found.slice(1).map(decodeURIComponent))
    }
    return asked.method === 'GET' ? { result: [] } : { result: {} }
  }

  private readonly routes: readonly (readonly [
    string,
    RegExp,
    (asked: Asked, names: readonly string[]) => Answer,
  ])[] = [
    ['GET', /^\/?$/, () => ({ result: { id: 'account', name: 'An account' } })],
    ['GET', /^\/d1\/database$/, () => ({ result: this.databases.map(shown) })],
    ['POST', /^\/d1\/database$/, ({ json }) => this.createDatabase(json)],
    ['GET', /^\/d1\/database\/([^/]+)$/, (_, [name]) => this.showDatabase(name)],
    ['PUT', /^\/d1\/database\/([^/]+)$/, ({ json }, [name]) => this.replicate(name, json)],
    ['POST', /^\/d1\/database\/([^/]+)\/query$/, ({ json }, [name]) => this.query(name, String(json['sql']))],
    [
      'GET',
      /^\/storage\/kv\/namespaces$/,
      () => ({ result: this.namespaces.map(({ id, title }) => ({ id, title })) }),
    ],
    ['POST', /^\/storage\/kv\/namespaces$/, ({ json }) => this.createNamespace(String(json['title']))],
    [
      'GET',
      /^\/storage\/kv\/namespaces\/([^/]+)\/keys$/,
      ({ query }, [id]) => this.keysOf(id, query.get('prefix')),
    ],
    [
      'DELETE',
      /^\/storage\/kv\/namespaces\/([^/]+)\/values\/([^/]+)$/,
      (_, [id, key]) => this.deleteKey(id, key),
    ],
    ['GET', /^\/queues$/, ({ query }) => this.listQueues(query.get('name'))],
    ['POST', /^\/queues$/, ({ json }) => this.createQueue(String(json['queue_name']))],
    ['POST', /^\/queues\/([^/]+)\/consumers$/, ({ json }, [id]) => this.consume(id, json)],
    ['PUT', /^\/queues\/([^/]+)\/consumers\/([^/]+)$/, ({ json }, [id]) => this.consume(id, json)],
    ['GET', /^\/workers\/services\/([^/]+)$/, (_, [name]) => this.showService(name)],
    ['GET', /^\/workers\/scripts\/([^/]+)\/settings$/, (_, [name]) => this.showSettings(name)],
    ['GET', /^\/workers\/scripts\/([^/]+)\/secrets$/, (_, [name]) => this.listSecrets(name)],
    ['PUT', /^\/workers\/scripts\/([^/]+)\/secrets$/, ({ json }, [name]) => this.putSecret(name, json)],
    ['GET', /^\/workers\/scripts\/([^/]+)\/deployments$/, (_, [name]) => this.listDeployments(name)],
    [
      'POST',
      /^\/workers\/scripts\/([^/]+)\/deployments$/,
      ({ json }, [name]) => this.deployVersion(name, json),
    ],
    [
      'GET',
      /^\/workers\/scripts\/([^/]+)\/versions\/([^/]+)$/,
      (_, [name, id]) => this.showVersion(name, id),
    ],
    [
      'GET',
      /^\/workers\/scripts\/([^/]+)\/versions$/,
      (_, [name]) => ({ result: { items: this.scripts.get(name ?? '')?.versions.toReversed() ?? [] } }),
    ],
    [
      'POST',
      /^\/workers\/scripts\/([^/]+)\/versions$/,
      ({ parts }, [name]) => this.upload(name, parts, false),
    ],
    ['PUT', /^\/workers\/scripts\/([^/]+)$/, ({ parts }, [name]) => this.upload(name, parts, true)],
    ['POST', /\/assets-upload-session$/, () => ({ result: { jwt: 'a token', buckets: [] } })],
    ['GET', /\/workers\/subdomain$/, () => ({ result: { subdomain: 'example' } })],
    [
      'GET',
      /\/subdomain$|\/workers\/workers\/[^/]+$/,
      () => ({ result: { subdomain: { enabled: true }, enabled: true } }),
    ],
    ['PUT', /./, () => ({ result: { id: 'id' } })],
  ]

  /** Uploads and deploys other code of a Worker, with the bindings of its last version. */
  deployOtherCode(name: string): void {
    const script = this.scripts.get(name)
    const last = script?.versions.at(-1)
    if (script === undefined || last === undefined) throw new Error(`${name} was not uploaded`)
    const code = { etag: this.newId(), handlers: ['fetch'] }
    this.addVersion(script, { ...last.resources, script: code }, {}, true)
  }

  private newId(): string {
    this.made += 1
    return `00000000-0000-4000-8000-${String(this.made).padStart(12, '0')}`
  }

  private database(name: string | undefined): Database | undefined {
    return this.databases.find((each) => each.name === name || each.uuid === name)
  }

  private showDatabase(name: string | undefined): Answer {
    const found = this.database(name)
    return found === undefined ? null : { result: shown(found) }
  }

  private createDatabase(json: Record<string, unknown>): Answer {
    const name = String(json['name'])
    if (this.database(name) !== undefined) return { code: 7502, fault: `Database ${name} already exists` }
    const made = {
      uuid: this.newId(),
      name,
      data: new DatabaseSync(':memory:'),
      replication: 'disabled',
      jurisdiction: typeof json['jurisdiction'] === 'string' ? json['jurisdiction'] : null,
    }
    this.databases.push(made)
    return { result: shown(made) }
  }

  private replicate(name: string | undefined, json: Record<string, unknown>): Answer {
    const found = this.database(name)
    if (found === undefined) return null
    found.replication = String((json['read_replication'] as { mode: string }).mode)
    return { result: shown(found) }
  }

  /** All statements of a query or none of them, as D1 does. */
  private query(name: string | undefined, sql: string): Answer {
    const found = this.database(name)
    if (found === undefined) return null
    const { data } = found
    data.exec('BEGIN')
    try {
      const result = unstable_splitSqlQuery(sql).map((statement) => ({
        results: data.prepare(statement).all(),
        success: true,
        meta: { duration: 1 },
      }))
      data.exec('COMMIT')
      return { result }
    } catch (error) {
      data.exec('ROLLBACK')
      return { code: 7500, fault: String(error) }
    }
  }

  private createNamespace(title: string): Answer {
    if (this.namespaces.some((each) => each.title === title))
      return {
        code: 10014,
        fault: 'create namespace: A namespace with this account ID and title already exists',
      }
    const made = { id: this.newId(), title, keys: new Map<string, string>() }
    this.namespaces.push(made)
    return { result: { id: made.id, title } }
  }

  private keysOf(id: string | undefined, prefix: string | null): Answer {
    const found = this.namespaces.find((each) => each.id === id)
    if (found === undefined) return null
    const names = [...found.keys.keys()].filter((name) => name.startsWith(prefix ?? ''))
    return { result: names.map((name) => ({ name })) }
  }

  private deleteKey(id: string | undefined, key: string | undefined): Answer {
    this.namespaces.find((each) => each.id === id)?.keys.delete(key ?? '')
    return { result: {} }
  }

  private listQueues(name: string | null): Answer {
    const found = this.queues.filter(({ queue_name }) => name === null || queue_name === name)
    return { result: found.map((queue) => ({ ...queue, producers: [] })) }
  }

  private createQueue(queue_name: string): Answer {
    if (this.queues.some((each) => each.queue_name === queue_name))
      return { code: 11009, fault: `Queue name '${queue_name}' is already taken` }
    const made = { queue_id: this.newId(), queue_name, consumers: [] }
    this.queues.push(made)
    return { result: made }
  }

  /** A Worker consumes a queue once. */
  private consume(id: string | undefined, json: Record<string, unknown>): Answer {
    const queue = this.queues.find(({ queue_id }) => queue_id === id)
    if (queue === undefined) return null
    const script = json['script_name']
    const others = queue.consumers.filter((each) => each['script'] !== script)
    const consumer = {
      ...json,
      consumer_id: this.newId(),
      type: 'worker',
      script,
      service: script,
      environment: 'production',
    }
    queue.consumers.splice(0, queue.consumers.length, ...others, consumer)
    return { result: consumer }
  }

  private showService(name: string | undefined): Answer {
    const script = this.scripts.get(name ?? '')
    if (script === undefined) return null
    return {
      result: {
        id: name,
        default_environment: {
          environment: 'production',
          script: { id: name, tag: 'tag', last_deployed_from: 'wrangler' },
        },
        environments: [],
      },
    }
  }

  private showSettings(name: string | undefined): Answer {
    const bindings = this.scripts.get(name ?? '')?.versions.at(-1)?.resources.bindings
    return bindings === undefined ? null : { result: { bindings } }
  }

  private listSecrets(name: string | undefined): Answer {
    const script = this.scripts.get(name ?? '')
    if (script === undefined) return null
    return { result: [...script.secrets.keys()].map((each) => ({ name: each, type: 'secret_text' })) }
  }

  /** A changed secret is a new version with the same code, and is deployed at once. */
  private putSecret(name: string | undefined, json: Record<string, unknown>): Answer {
    const script = this.scripts.get(name ?? '')
    const last = script?.versions.at(-1)
    if (script === undefined || last === undefined) return null
    script.secrets.set(String(json['name']), String(json['text']))
    const { resources } = last
    this.addVersion(script, resources, { 'workers/triggered_by': 'secret' }, true)
    return { result: { name: json['name'], type: 'secret_text' } }
  }

  private upload(name: string | undefined, parts: readonly Part[], deployed: boolean): Answer {
    if (name === undefined) return null
    const script = this.scripts.get(name) ?? { versions: [], deployments: [], secrets: new Map() }
    this.scripts.set(name, script)
    this.uploads.push([...parts])
    const metadata: { bindings?: Binding[]; annotations?: Record<string, string> } = JSON.parse(
      parts.find((part) => part.name === 'metadata')?.text ?? '{}',
    )
    const before = script.versions.at(-1)?.resources.bindings ?? []
    const bindings = (metadata.bindings ?? []).map((each) =>
      each.type === 'inherit' ? (before.find((known) => known.name === each.name) ?? each) : withId(each),
    )
    const code = parts.filter((part) => part.name !== 'metadata').map(({ text }) => text)
    const etag = createHash('sha256').update(code.join('\n')).digest('hex')
    const script_of = { etag, handlers: ['fetch'] }
    const version = this.addVersion(
      script,
      { bindings, script: script_of },
      metadata.annotations ?? {},
      deployed,
    )
    return { result: { ...version, entry_point: 'worker.js', startup_time_ms: 1, deployment_id: version.id } }
  }

  private addVersion(
    script: Script,
    resources: Version['resources'],
    annotations: Record<string, string>,
    deployed: boolean,
  ): Version {
    const number = script.versions.length + 1
    const metadata = { created_on: this.moment(), source: 'wrangler', author_email: 'a@example.com' }
    const version = { id: this.newId(), number, metadata, annotations, resources }
    script.versions.push(version)
    if (deployed) this.addDeployment(script, version.id, {})
    return version
  }

  private addDeployment(script: Script, version_id: string, annotations: Record<string, string>): Deployment {
    const made: Deployment = {
      id: this.newId(),
      created_on: this.moment(),
      source: 'wrangler',
      author_email: 'a@example.com',
      strategy: 'percentage',
      annotations,
      versions: [{ version_id, percentage: 100 }],
    }
    script.deployments.unshift(made)
    return made
  }

  private listDeployments(name: string | undefined): Answer {
    const script = this.scripts.get(name ?? '')
    return script === undefined ? null : { result: { deployments: script.deployments.slice(0, 10) } }
  }

  private deployVersion(name: string | undefined, json: Record<string, unknown>): Answer {
    const script = this.scripts.get(name ?? '')
    const [chosen] = json['versions'] as { version_id: string }[]
    if (script === undefined || chosen === undefined) return null
    const annotations = (json['annotations'] ?? {}) as Record<string, string>
    return { result: this.addDeployment(script, chosen.version_id, annotations) }
  }

  private showVersion(name: string | undefined, id: string | undefined): Answer {
    const found = this.scripts.get(name ?? '')?.versions.find((version) => version.id === id)
    return found === undefined ? null : { result: found }
  }

  /** Each moment is later than the one before, so that lists sort. */
  private moment(): string {
    return new Date(Date.UTC(2026, 10, 23) + this.made * 1_000).toISOString()
  }
}

function shown({ uuid, name, replication, jurisdiction }: Database): object {
  return {
    jurisdiction,
    uuid,
    name,
    created_at: '2026-11-23',
    version: 'production',
    read_replication: { mode: replication },
  }
}

/** Settings name a database by `id`, as an upload may do by another field. */
function withId(binding: Binding): Binding {
  return binding.type === 'd1' ? { ...binding, id: binding['id'] ?? binding['database_id'] } : binding
}
