import { createHash } from 'node:crypto'

/** A repository of the Hub with a single revision. Its files are keyed by path. */
export type Repository = {
  readonly name: string
  isPrivate: boolean
  isGated: boolean
  readonly files: Map<string, Buffer>
  /** Titles of the commits, oldest first. */
  readonly commits: string[]
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

/** The revision of a repository's current state. */
export const revisionOf = ({ name, commits, files }: Repository): string =>
  sha1(`${name} ${commits.length} ${[...files.keys()].join()}`)

export const newRepository = (name: string): Repository => ({
  name,
  isPrivate: false,
  isGated: false,
  files: new Map(),
  commits: [],
})

/** Larger files and all Parquet files are stored by their hash, as on the Hub. */
export const LFS_FROM = 10_000
export const isLarge = (path: string, size: number): boolean => path.endsWith('.parquet') || size > LFS_FROM

/** A file as the listing routes describe it. */
export const entryOf = (path: string, bytes: Buffer) => ({
  type: 'file',
  path,
  size: bytes.length,
  oid: sha1(path + bytes.length),
  ...(isLarge(path, bytes.length) && { lfs: { oid: sha256(bytes), size: bytes.length, pointerSize: 130 } }),
})

/** The files and folders in a folder. If `isDeep`, also the files and folders in its subfolders. */
export const listFiles = ({ files }: Repository, folder: string, isDeep: boolean) => {
  const prefix = folder === '' ? '' : `${folder}/`
  const below = [...files].filter(([path]) => path.startsWith(prefix))
  const folders = new Set<string>()
  for (const [path] of below) {
    const parts = path.slice(prefix.length).split('/').slice(0, -1)
    parts.forEach((_part, i) => {
      if (isDeep || i === 0) folders.add(prefix + parts.slice(0, i + 1).join('/'))
    })
  }
  const shown = isDeep ? below : below.filter(([path]) => !path.slice(prefix.length).includes('/'))
  return [
    ...[...folders].map((path) => ({ type: 'directory', path, size: 0, oid: sha1(path) })),
    ...shown.map(([path, bytes]) => entryOf(path, bytes)),
  ]
}
