import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { billOfMaterials } from '../../scripts/release/artefacts.ts'
import { unreleasedOf, withRelease } from '../../scripts/release/changelog.ts'
import { releaseFaults } from '../../scripts/release/faults.ts'
import { packageFaults, publishedFolders } from '../../scripts/release/packages.ts'
import { setVersion, versionFaults, versionOf } from '../../scripts/release/versions.ts'
import { PROJECT } from '../../scripts/wrangler.ts'

const FILES = [
  'package.json',
  'package-lock.json',
  'LICENSE',
  'CITATION.cff',
  'CHANGELOG.md',
  'client/package.json',
  'client/LICENSE',
  'client/README.md',
  'client/src/version.ts',
  'docs/medusa.md',
  'plugins/medusa/package.json',
  'plugins/medusa/package-lock.json',
  'plugins/medusa/LICENSE',
  'plugins/odoo/package.json',
  'plugins/odoo/tax_compliance_us/__manifest__.py',
]
/** A day of a month whose exchange rates are shipped. */
const DAY = '2026-10-15'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** A repository with those files of this one, all committed. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  folders.push(folder)
  for (const path of [...FILES, 'data/published-rates/hmrc.csv']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(PROJECT, path), join(folder, path))
  }
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n- A change.\n')
  git(folder, 'init', '--quiet')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message', 'All')
  return folder
}

function git(cwd: string, ...args: string[]): void {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...who, ...args], { cwd, stdio: 'ignore' })
}

function change(folder: string, path: string, from: string, to: string): void {
  const text = readFileSync(join(folder, path), 'utf8')
  expect(text).toContain(from)
  writeFileSync(join(folder, path), text.replace(from, to))
}

describe('the version', () => {
  it('is that of package.json in each file of this project', () => {
    expect(versionFaults(PROJECT)).toEqual([])
  })

  it('is written into all of them at once, and a file that was left out is named', () => {
    const folder = project()
    setVersion(folder, '2.13.0')
    expect(versionOf(folder)).toBe('2.13.0')
    expect(versionFaults(folder)).toEqual([])
    for (const path of FILES.filter((each) => !/LICENSE|CHANGELOG/.test(each)))
      expect(readFileSync(join(folder, path), 'utf8'), path).toContain('2.13.0')
    expect(readFileSync(join(folder, 'plugins/odoo/tax_compliance_us/__manifest__.py'), 'utf8')).toContain(
      '"18.0.2.13.0"',
    )
    change(folder, 'client/src/version.ts', '2.13.0', '2.12.0')
    expect(versionFaults(folder)).toEqual([
      'client/src/version.ts: another version than 2.13.0 of package.json',
    ])
  })
})

describe('the packages', () => {
  it('that are published have all that a registry shows, of one project', () => {
    expect(publishedFolders(PROJECT)).toEqual([
      'client',
      'plugins/medusa',
      'plugins/shopware',
      'plugins/vendure',
    ])
    expect(packageFaults(PROJECT)).toEqual([])
  })

  it('are faults without an address, or outside of the scope', () => {
    const folder = project()
    change(folder, 'plugins/medusa/package.json', '"directory": "plugins/medusa"', '"directory": "x"')
    change(folder, 'plugins/medusa/package.json', '@tax-compliance/medusa', 'medusa-tax')
    change(folder, 'plugins/medusa/package.json', '"tax-compliance": "^1.0.0"', '"tax-compliance": "^0.9.0"')
    rmSync(join(folder, 'plugins/medusa/LICENSE'))
    expect(packageFaults(folder)).toEqual([
      expect.stringContaining('plugins/medusa/package.json: repository has to be'),
      'plugins/medusa/package.json: medusa-tax has to be in the scope @tax-compliance',
      'plugins/medusa/package.json: the plugin has to need the client ^1.0.0',
      'plugins/medusa: LICENSE is not ours',
    ])
  })
})

describe('the changelog', () => {
  const CHANGELOG =
    '# Changelog\n\nWords.\n\n## Unreleased\n\n- New.\n- Newer.\n\n## 1.0.0 (2026-11-28)\n\n- Old.\n'

  it('says what is not released, and gives it a version and a day', () => {
    expect(unreleasedOf(CHANGELOG)).toBe('- New.\n- Newer.')
    const after = withRelease(CHANGELOG, '1.1.0', '2026-12-05')
    expect(after).toContain(
      '## Unreleased\n\n## 1.1.0 (2026-12-05)\n\n- New.\n- Newer.\n\n## 1.0.0 (2026-11-28)',
    )
    expect(unreleasedOf(after)).toBe('')
    expect(unreleasedOf('# Changelog\n')).toBe('')
  })

  it('of this project has the section that a release takes', () => {
    expect(readFileSync(join(PROJECT, 'CHANGELOG.md'), 'utf8')).toMatch(/\n## Unreleased\n/)
  })
})

describe('the workflow of a release', () => {
  const workflow = readFileSync(join(PROJECT, '.github/workflows/release.yml'), 'utf8')

  it('starts with a tag, checks all, and publishes what a dry run builds, with provenance', () => {
    const steps = ["tags: ['v*']", '.ci/run', 'release -- --dry-run --to', 'npm publish', 'gh release create']
    const found = steps.map((step) => workflow.indexOf(step))
    expect(found.every((at) => at > 0)).toBe(true)
    expect(found.toSorted((a, b) => a - b)).toEqual(found)
    expect(workflow).toContain('--provenance')
    expect(workflow).toContain('id-token: write')
  })

  it('has the notes of the tag, which its checkout replaces, before anything is published', () => {
    const fetched = workflow.indexOf('git fetch --force origin "$GITHUB_REF:$GITHUB_REF"')
    expect(fetched).toBeGreaterThan(0)
    expect(fetched).toBeLessThan(workflow.indexOf('npm publish'))
    expect(workflow).toContain('--notes-from-tag')
  })

  it('can be started again after a package was published: each version is looked up first', () => {
    expect(workflow).toMatch(/npm view "\$named" version.* \|\| npm publish/)
  })
})

describe('each workflow', () => {
  const texts = globSync('.github/workflows/*.yml', { cwd: PROJECT }).map((path) =>
    readFileSync(join(PROJECT, path), 'utf8'),
  )

  it('names its actions by commit, because a tag can be moved', () => {
    const used = texts.flatMap((text) => [...text.matchAll(/uses: (.*)/g)].map(([, action = '']) => action))
    expect(used.length).toBeGreaterThan(4)
    for (const action of used) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('runs no script of a package where a token can publish', () => {
    const jobs = texts
      .flatMap((text) => text.split(/^ {2}(?=\w+:\n)/m))
      .filter((job) => job.includes(': write'))
    expect(jobs).toHaveLength(1)
    for (const job of jobs)
      for (const [install] of job.matchAll(/npm (ci|install|rebuild).*/g))
        expect(install).toContain('--ignore-scripts')
  })
})

describe('a release', () => {
  it('lists each package of others with its version and licence', () => {
    const { bomFormat, components } = JSON.parse(billOfMaterials(PROJECT))
    expect(bomFormat).toBe('CycloneDX')
    expect(components).toContainEqual(expect.objectContaining({ name: 'hono', licenses: expect.any(Array) }))
  })

  it('has no faults of a clean tree with changes, under a version that is not tagged', () => {
    expect(releaseFaults(project(), '1.0.0', DAY)).toEqual([])
  })

  it('stops for what is not committed, a tag, no version, and a changelog without changes', () => {
    const folder = project()
    git(folder, 'tag', 'v1.0.0')
    expect(releaseFaults(folder, '1.0.0', DAY)).toEqual([expect.stringContaining('v1.0.0 is tagged already')])
    expect(releaseFaults(folder, '1.0', DAY)).toEqual(['1.0 is no version, such as 1.2.0'])
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n## 1.0.0 (2026-11-28)\n')
    expect(releaseFaults(folder, '1.1.0', DAY)).toEqual([
      'There are changes: commit them first',
      'CHANGELOG.md has nothing under "Unreleased"',
    ])
  })

  it('stops without the exchange rates of its month', () => {
    const folder = project()
    change(folder, 'data/published-rates/hmrc.csv', '\n2026-10-01,', '\n2027-01-01,')
    git(folder, 'commit', '--quiet', '--all', '--message', 'Other months')
    expect(releaseFaults(folder, '1.0.0', DAY)).toEqual([
      expect.stringMatching(/hmrc\.csv lacks 2026-10: npm run collect -- FX-HMRC/),
    ])
  })
})
