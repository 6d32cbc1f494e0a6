import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PERMISSIONS_OF_TOKEN } from '../../scripts/cloudflare-access.ts'
import { type CloudflareApi, serveCloudflareApi } from './cloudflare-api.ts'
import { CODE, DeployProject } from './deploy-project.ts'

const project = new DeployProject()
afterAll(() => project.remove())

let api: CloudflareApi
beforeEach(async () => {
  api = await serveCloudflareApi()
})
afterEach(() => api.close())

describe('the token of a deploy', () => {
  it('is checked first: the missing permissions are named, and nothing is changed', async () => {
    api.refuse(/^\/(d1|queues)/)
    const { code, printed } = await project.run(api, 'deploy.ts', CODE)
    expect(code).toBe(1)
    expect(printed).toContain('D1: Edit (403: Authentication error)')
    expect(printed).toContain('Queues: Edit')
    expect(printed).not.toMatch(/KV|Scripts: Edit|wrangler/)
    expect(api.writes).toEqual([])
  })

  it('is told as such if it may do nothing', async () => {
    api.refuse(/./)
    const { code, printed } = await project.run(api, 'deploy.ts', CODE)
    expect(code).toBe(1)
    for (const name of PERMISSIONS_OF_TOKEN.slice(1)) expect(printed).toContain(name)
    expect(api.writes).toEqual([])
  })
})
