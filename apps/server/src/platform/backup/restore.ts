import { existsSync } from 'node:fs'
import { access, constants, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SECRET_FILE } from '#platform/auth/secrets/master-secret.ts'
import { createSecrets } from '#platform/auth/secrets/secrets.ts'
import { isSecretOf, SECRET_CHECK } from '#platform/auth/secrets/store-secret.ts'
import { migrations } from '#platform/db/migrate.ts'
import { DATABASE_FILE } from '#platform/db/sqlite/connection.ts'
import { lockFolder } from '#platform/db/sqlite/lock.ts'
import { revisionsOfFile } from '#platform/db/sqlite/revisions.ts'
import { replaceDatabase, settingIn } from '#platform/db/sqlite/snapshot.ts'
import { StoreError } from '#platform/db/store.ts'
import { type Manifest, unpackBackup } from './archive.ts'
import { postgresFromFile } from './between-engines.ts'
import { type BackupPlace, directUrlOf } from './create.ts'
import { type OnStep, rowsOf } from './steps.ts'

/** Name of the temporary folder. It is next to the data, so that a rename can move the restored files into place. */
const DRAFT = 'restore.part'

const refuseNewer = async (file: string, database: string): Promise<void> => {
  const known = new Set(migrations.map(({ name }) => name))
  const newer = (await revisionsOfFile(database)).filter((name) => !known.has(name))
  if (newer.length === 0) return
  throw new StoreError(
    `The backup ${file} was made by a newer version of Postil (${newer.join(', ')}). Restore it with that version or a later one. Nothing was changed.`,
  )
}

/** Checks that the server's secret can decrypt the database's sealed values. @throws StoreError if it can't */
const refuseOtherSecret = async (
  draft: string,
  givenSecret: string | undefined,
  { manifest: { files }, required }: { readonly manifest: Manifest; readonly required: boolean },
): Promise<void> => {
  const packed = files.secret === undefined ? undefined : (await readFile(join(draft, 'secret'), 'utf8')).trim()
  const secret = givenSecret ?? packed
  if (secret === undefined) {
    throw new StoreError(
      'This backup contains no secret, because its server used POSTIL_SECRET. Set POSTIL_SECRET to the same value. Nothing was changed.',
    )
  }
  const check = settingIn(join(draft, DATABASE_FILE), SECRET_CHECK)
  const opens = (one: string): boolean => check === null || isSecretOf(createSecrets(one), check)
  if (opens(secret)) return
  const own = required
    ? 'Set it to the secret in the backup, which "tar xzOf FILE secret" prints.'
    : 'Unset it: the backup contains its own secret.'
  const hint = packed === undefined || !opens(packed) ? 'Set POSTIL_SECRET to the value that the server used.' : own
  const what = givenSecret === undefined ? 'The secret in the backup' : 'POSTIL_SECRET'
  throw new StoreError(`${what} is not the secret that this backup was made with. ${hint} Nothing was changed.`)
}

type Options = {
  readonly force: boolean
  /** Called with the temporary folder as soon as it exists. */
  readonly onDraft?: (folder: string) => void
  readonly onStep?: OnStep
}
const nobody: OnStep = () => undefined

const restoreIntoFolder = async (
  { dataDir, secret }: BackupPlace,
  file: string,
  { force, onDraft, onStep = nobody }: Options,
): Promise<Manifest> => {
  const lock = lockFolder(dataDir)
  const draft = join(dataDir, DRAFT)
  try {
    const existingFile = [DATABASE_FILE, SECRET_FILE].find((name) => existsSync(join(dataDir, name)))
    if (existingFile !== undefined && !force) {
      throw new StoreError(
        `The folder ${dataDir} already contains data (${existingFile}). Choose another folder, or use --force to replace all data.`,
      )
    }
    await rm(draft, { recursive: true, force: true })
    await mkdir(draft, { mode: 0o700 })
    onDraft?.(draft)
    const manifest = await unpackBackup(file, draft, onStep)
    await refuseNewer(file, join(draft, DATABASE_FILE))
    await refuseOtherSecret(draft, secret, { manifest, required: false })
    const secrets = manifest.files.secret === undefined ? [] : [{ from: join(draft, 'secret'), to: join(dataDir, SECRET_FILE) }]
    await replaceDatabase(dataDir, join(draft, DATABASE_FILE), secrets)
    return manifest
  } finally {
    await rm(draft, { recursive: true, force: true })
    lock.release()
  }
}

const restoreIntoPostgres = async (
  url: string,
  secret: string | undefined,
  file: string,
  { force, onDraft, onStep = nobody }: Options,
): Promise<Manifest> => {
  // `mkdtemp` sets mode 0700. The unpacked files contain everyone's data and possibly the secret.
  const draft = await mkdtemp(join(tmpdir(), 'postil-restore-'))
  onDraft?.(draft)
  try {
    const manifest = await unpackBackup(file, draft, onStep)
    const database = join(draft, DATABASE_FILE)
    await refuseNewer(file, database)
    await refuseOtherSecret(draft, secret, { manifest, required: true })
    await postgresFromFile(url, database, { force, onRows: rowsOf('restoring', onStep) })
    return manifest
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/**
 * Replaces a store on either engine with a backup's contents. No server may be using the store.
 * @param options `force`: replace existing data; `onStep`: receives progress. @throws StoreError without having changed
 * anything
 */
export const restoreBackup = async (place: BackupPlace, file: string, options: Options): Promise<Manifest> => {
  await access(file, constants.R_OK).catch(() => {
    throw new StoreError(`The file ${file} does not exist or cannot be read.`)
  })
  const url = directUrlOf(place)
  return url === undefined ? restoreIntoFolder(place, file, options) : restoreIntoPostgres(url, place.secret, file, options)
}
