import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { aptUpdate } from '../../scripts/lib/apt.mjs'

/** A package in Debian's package index. `names` are the packages that it depends on, recommends or suggests. */
export type DebianPackage = {
  readonly name: string
  readonly section: string
  readonly description: string
  /** In kilobytes. */
  readonly installedSize: number
  readonly tags: readonly string[]
  readonly homepage: string | undefined
  readonly depends: readonly string[]
  readonly suggests: readonly string[]
}

/**
 * The minimum number of packages in a complete index. A smaller index contains only the installed packages, because `apt-get
 * update` was never run.
 */
const MIN_PACKAGES = 1000

export const NO_LISTS =
  "The data comes from Debian's package index, which this machine does not have. Run 'apt-get update' as root first. Other systems have no such index."

const run = promisify(execFile)

const namesIn = (value: string | undefined): string[] => [
  ...new Set((value ?? '').split(/[,|]/).flatMap((part) => /^\s*([a-z0-9][a-z0-9+.-]+)/.exec(part)?.[1] ?? [])),
]

const fieldsOf = (paragraph: string): Map<string, string> => {
  const fields = new Map<string, string>()
  let key = ''
  for (const line of paragraph.split('\n')) {
    const match = /^([A-Za-z0-9-]+):\s*(.*)$/.exec(line)
    if (match?.[1] !== undefined) {
      key = match[1]
      fields.set(key, match[2] ?? '')
    } else if (key) {
      fields.set(key, `${fields.get(key)} ${line.trim()}`)
    }
  }
  return fields
}

const packageOf = (paragraph: string): DebianPackage | null => {
  const fields = fieldsOf(paragraph)
  const name = fields.get('Package')
  const description = fields.get('Description')
  const section = fields.get('Section')?.replace(/^.*\//, '')
  if (!name || !description || !section) return null
  return {
    name,
    section,
    description,
    installedSize: Number(fields.get('Installed-Size') ?? 0),
    tags: (fields.get('Tag') ?? '').split(/,\s*/).filter((tag) => tag.includes('::')),
    homepage: fields.get('Homepage'),
    depends: namesIn(fields.get('Depends')),
    suggests: namesIn(`${fields.get('Recommends') ?? ''},${fields.get('Suggests') ?? ''}`),
  }
}

/** Parses the output of `apt-cache dumpavail`. If a package occurs twice, the first entry wins. */
export const parseIndex = (text: string): DebianPackage[] => {
  const byName = new Map<string, DebianPackage>()
  for (const paragraph of text.split('\n\n')) {
    const found = packageOf(paragraph)
    if (found && !byName.has(found.name)) byName.set(found.name, found)
  }
  return [...byName.values()]
}

const dump = async (): Promise<DebianPackage[]> => {
  try {
    const { stdout } = await run('apt-cache', ['dumpavail'], { maxBuffer: 2 ** 30 })
    return parseIndex(stdout)
  } catch {
    return []
  }
}

/**
 * Returns all packages in the machine's index. Fetches missing lists if the process runs as root. If they are still missing,
 * throws an error that says what to do.
 */
export const readIndex = async (): Promise<DebianPackage[]> => {
  let packages = await dump()
  if (packages.length < MIN_PACKAGES && process.getuid?.() === 0) {
    await aptUpdate().catch(() => undefined)
    packages = await dump()
  }
  if (packages.length < MIN_PACKAGES) throw new Error(NO_LISTS)
  return packages
}
