import { isLarge, listFiles, newRepository, type Repository, revisionOf, sha256 } from './repositories.ts'
import { type Call, canSee } from './state.ts'

type Route = { readonly method: string; readonly path: RegExp; readonly run: (call: Call, found: readonly string[]) => void }
const REPO = '([^/]+/[^/]+)'
const json = <T>({ body }: Call): T => JSON.parse(body.toString('utf8')) as T

/** Returns the repository if the caller may see it. Otherwise, sends an error response and returns null. */
const listRepository = (call: Call, name: string): Repository | null => {
  const found = call.state.repositories.get(name)
  if (found !== undefined && canSee(call, found)) return found
  // The real Hub returns 401 for missing repositories if the caller is not signed in.
  if (call.token === null) call.answer(401, { error: 'Invalid username or password.' }, { 'x-error-code': 'RepoNotFound' })
  else call.answer(404, { error: 'Repository not found' }, { 'x-error-code': 'RepoNotFound' })
  return null
}

/** Whether the caller may write to a repository. If not, sends an error response. */
const canWrite = ({ state, token, answer }: Call, name: string): boolean => {
  const namespaces = state.writers.get(token ?? '')
  if (namespaces === undefined) answer(401, { error: 'Invalid username or password.' })
  else if (!namespaces.includes(name.split('/')[0] ?? '')) answer(403, { error: "You don't have the rights to write there" })
  else return true
  return false
}

const repositoryInfo = (repository: Repository) => ({
  _id: '1',
  id: repository.name,
  author: repository.name.split('/')[0],
  sha: revisionOf(repository),
  lastModified: '2026-01-01T00:00:00.000Z',
  createdAt: '2026-01-01T00:00:00.000Z',
  private: repository.isPrivate,
  gated: repository.isGated,
  disabled: false,
  downloads: 0,
  likes: 0,
  tags: [],
  siblings: [...repository.files.keys()].map((rfilename) => ({ rfilename })),
})

/** Sends a file, or the requested part. */
const resolve = (call: Call, [name = '', , path = '']: readonly string[]): void => {
  const repository = listRepository(call, name)
  if (repository === null) return
  const bytes = repository.files.get(decodeURIComponent(path))
  const commit = { 'x-repo-commit': revisionOf(repository) }
  if (bytes === undefined)
    return void call.answer(404, { error: 'Entry not found' }, { ...commit, 'x-error-code': 'EntryNotFound' })
  const common = {
    ...commit,
    etag: `"${sha256(bytes)}"`,
    'accept-ranges': 'bytes',
    'content-type': 'application/octet-stream',
    'access-control-expose-headers': 'etag',
  }
  const range = /^bytes=(\d+)-(\d+)?$/.exec(call.headers.range ?? '')
  if (range === null) return void call.answer(200, bytes, common)
  const start = Number(range[1])
  const end = Math.min(range[2] === undefined ? bytes.length : Number(range[2]) + 1, bytes.length)
  call.answer(206, bytes.subarray(start, end), { ...common, 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` })
}

const create = (call: Call): void => {
  const { name, organization, ...rest } = json<{ name: string; organization?: string; visibility?: string; private?: boolean }>(
    call,
  )
  const id = `${organization}/${name}`
  if (!canWrite(call, id)) return
  const { repositories, address } = call.state
  if (repositories.has(id))
    return void call.answer(409, { error: 'You already created this dataset repo', url: `${address}/datasets/${id}` })
  const repository = newRepository(id)
  repository.isPrivate = rest.visibility === 'private' || rest.private === true
  repositories.set(id, repository)
  call.answer(200, { url: `${address}/datasets/${id}`, name: id, id })
}

type Line =
  | { readonly key: 'header'; readonly value: { readonly summary: string } }
  | { readonly key: 'file'; readonly value: { readonly path: string; readonly content: string; readonly encoding?: string } }
  | { readonly key: 'lfsFile'; readonly value: { readonly path: string; readonly oid: string } }
  | { readonly key: 'deletedFile'; readonly value: { readonly path: string } }

const commit = (call: Call, [name = '']: readonly string[]): void => {
  if (!canWrite(call, name)) return
  const repository = listRepository(call, name)
  if (repository === null) return
  const lines = call.body
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  const missing = lines.find((line) => line.key === 'lfsFile' && !call.state.large.has(line.value.oid))
  if (missing !== undefined) return void call.answer(400, { error: 'A large file was not uploaded' })
  for (const line of lines) {
    if (line.key === 'header') repository.commits.push(line.value.summary)
    else if (line.key === 'deletedFile') repository.files.delete(line.value.path)
    else if (line.key === 'lfsFile') repository.files.set(line.value.path, call.state.large.get(line.value.oid) as Buffer)
    else
      repository.files.set(line.value.path, Buffer.from(line.value.content, line.value.encoding === 'base64' ? 'base64' : 'utf8'))
  }
  const { address } = call.state
  const oid = revisionOf(repository)
  call.answer(200, { success: true, commitOid: oid, commitUrl: `${address}/datasets/${name}/commit/${oid}`, hookOutput: '' })
}

const preupload = (call: Call, [name = '']: readonly string[]): void => {
  if (!canWrite(call, name) || listRepository(call, name) === null) return
  const { files } = json<{ files: { path: string; size: number }[] }>(call)
  call.answer(200, {
    files: files.map(({ path, size }) => ({ path, uploadMode: isLarge(path, size) ? 'lfs' : 'regular', shouldIgnore: false })),
  })
}

const batch = (call: Call, [name = '']: readonly string[]): void => {
  if (!canWrite(call, name)) return
  const { objects } = json<{ objects: { oid: string; size: number }[] }>(call)
  const { large, address } = call.state
  const actions = (oid: string) =>
    large.has(oid) ? {} : { actions: { upload: { href: `${address}/large/${oid}`, header: {} } } }
  call.answer(200, { transfer: 'basic', objects: objects.map(({ oid, size }) => ({ oid, size, ...actions(oid) })) })
}

const addCommit = (call: Call, [oid = '']: readonly string[]): void => {
  if (sha256(call.body) !== oid) return void call.answer(400, { error: 'The content has another hash' })
  call.state.large.set(oid, call.body)
  call.answer(200, {}, { etag: `"${oid}"` })
}

const routes: readonly Route[] = [
  { method: 'POST', path: /^\/api\/repos\/create$/, run: create },
  { method: 'POST', path: /^\/api\/validate-yaml$/, run: ({ answer }) => answer(200, { errors: [], warnings: [] }) },
  {
    method: 'GET',
    path: new RegExp(`^/api/datasets/${REPO}(?:/revision/[^/]+)?$`),
    run: (call, [name = '']) => {
      const repository = listRepository(call, name)
      if (repository !== null) call.answer(200, repositoryInfo(repository))
    },
  },
  {
    method: 'GET',
    path: new RegExp(`^/api/datasets/${REPO}/tree/[^/]+(?:/(.*))?$`),
    run: (call, [name = '', folder = '']) => {
      const repository = listRepository(call, name)
      if (repository === null) return
      const entries = listFiles(
        repository,
        decodeURIComponent(folder),
        /^true$/i.test(call.url.searchParams.get('recursive') ?? ''),
      )
      if (entries.length === 0 && folder !== '') call.answer(404, { error: 'Not found' }, { 'x-error-code': 'EntryNotFound' })
      else call.answer(200, entries)
    },
  },
  {
    method: 'POST',
    path: new RegExp(`^/api/datasets/${REPO}/paths-info/[^/]+$`),
    run: (call, [name = '']) => {
      const repository = listRepository(call, name)
      if (repository === null) return
      const form = new URLSearchParams(call.body.toString('utf8'))
      const paths = call.headers['content-type']?.includes('json') ? json<{ paths: string[] }>(call).paths : form.getAll('paths')
      const all = listFiles(repository, '', true)
      call.answer(
        200,
        paths.flatMap((path) => all.find((entry) => entry.path === path) ?? []),
      )
    },
  },
  { method: 'POST', path: new RegExp(`^/api/datasets/${REPO}/preupload/[^/]+$`), run: preupload },
  { method: 'POST', path: new RegExp(`^/api/datasets/${REPO}/commit/[^/]+$`), run: commit },
  { method: 'POST', path: new RegExp(`^/datasets/${REPO}\\.git/info/lfs/objects/batch$`), run: batch },
  { method: 'PUT', path: /^\/large\/([0-9a-f]+)$/, run: addCommit },
  { method: 'GET', path: new RegExp(`^/datasets/${REPO}/resolve/([^/]+)/(.+)$`), run: resolve },
]

/** Handles requests to the Hub itself. @returns false for unknown routes */
export const hubRoutes = (call: Call): boolean => {
  const method = call.method === 'HEAD' ? 'GET' : call.method
  for (const route of routes) {
    const found = route.method === method ? route.path.exec(call.url.pathname) : null
    if (found === null) continue
    route.run(call, found.slice(1))
    return true
  }
  return false
}
