import { type Call, canSee, type StandInSplit } from './state.ts'

const ROUTES = new Set(['/splits', '/info', '/statistics', '/parquet'])
const named = (dataset: string) => (one: StandInSplit) => ({ dataset, config: one.subset, split: one.split })

/** Handles requests to the datasets server. @returns false for other requests */
export const datasetsServer = (call: Call): boolean => {
  const { url, state, answer } = call
  if (!ROUTES.has(url.pathname)) return false
  const dataset = url.searchParams.get('dataset') ?? ''
  const subset = url.searchParams.get('config')
  const repository = state.repositories.get(dataset)
  const all = state.splits.get(dataset)
  if (repository === undefined || all === undefined || !canSee(call, repository)) {
    // Like the real server, this doesn't distinguish missing datasets from inaccessible ones.
    answer(404, { error: 'The dataset does not exist, or is not accessible without authentication (private or gated).' })
    return true
  }
  const splits = all.filter((one) => subset === null || one.subset === subset)
  const [first] = splits
  if (url.pathname === '/splits') answer(200, { splits: all.map(named(dataset)), pending: [], failed: [] })
  else if (first === undefined) answer(404, { error: `The config ${subset} does not exist.` })
  else if (url.pathname === '/info') {
    const counts = splits.map(({ split, rows }) => [split, { name: split, num_examples: rows ?? null }])
    answer(200, { dataset_info: { features: first.features, splits: Object.fromEntries(counts) }, partial: false })
  } else if (url.pathname === '/statistics') {
    const one = splits.find(({ split }) => split === url.searchParams.get('split'))
    // The real server doesn't have statistics for every split either.
    if (one?.statistics === undefined) answer(404, { error: 'The statistics are not ready.' })
    else answer(200, { num_examples: one.rows ?? 0, statistics: one.statistics, partial: false })
  } else {
    const parquet_files = splits.flatMap((one) =>
      one.files.map((bytes, i) => {
        const filename = `${String(i).padStart(4, '0')}.parquet`
        const path = `${one.subset}/${one.split}/${filename}`
        const at = `${state.address}/datasets/${dataset}/resolve/refs%2Fconvert%2Fparquet/${path}`
        return { ...named(dataset)(one), url: at, filename, size: bytes.length }
      }),
    )
    answer(200, { parquet_files, pending: [], failed: [], partial: false })
  }
  return true
}
