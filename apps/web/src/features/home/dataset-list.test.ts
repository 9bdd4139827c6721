import type { Home, HomeDataset } from '@postil/contract/home.ts'
import { describe, expect, test } from 'vitest'
import { filterRows, rowsOf, sortRows, splitRows, workspaceCounts } from './dataset-list.ts'

type RowSpec = {
  name: string
  workspace?: string
  active?: string
  created?: string
  pending?: number
  draft?: number
  status?: 'draft' | 'ready'
}

const item = ({
  name,
  workspace = 'w1',
  active = '2026-01-01T00:00:00',
  created = active,
  pending = 0,
  draft = 0,
  status = 'ready',
}: RowSpec): HomeDataset => ({
  dataset: {
    id: name,
    name,
    guidelines: null,
    allow_extra_metadata: true,
    status,
    distribution: { strategy: 'overlap', min_submitted: 1 },
    metadata: null,
    workspace_id: workspace,
    last_activity_at: active,
    inserted_at: created,
    updated_at: created,
  },
  progress: { total: 10, completed: 0, pending: 10, answers: 0, answers_needed: 10 },
  metrics: { total: 10, submitted: 0, discarded: 0, draft, pending, left: pending },
  field_types: [],
  question_types: [],
  answered_by: { usernames: [], total: 0 },
})

const home = (...spec: readonly RowSpec[]): Home => ({
  has_assignments: false,
  workspaces: [
    { id: 'w1', name: 'zoo', inserted_at: '', updated_at: '' },
    { id: 'w2', name: 'arts', inserted_at: '', updated_at: '' },
  ],
  datasets: spec.map(item),
})

const names = (rows: readonly { dataset: { name: string } }[]): readonly string[] => rows.map(({ dataset }) => dataset.name)

describe('the list of datasets', () => {
  test('accepts a cached list without answered_by', () => {
    const { answered_by, ...older } = item({ name: 'reviews' })
    const [row] = rowsOf({ workspaces: [], datasets: [older as HomeDataset], has_assignments: false })
    expect(row?.answered_by).toEqual(answered_by)
  })

  test('is searched by name, ignoring case and accents', () => {
    const rows = rowsOf(home({ name: 'Größe' }, { name: 'reviews' }, { name: 'REVIEWS-2' }))
    expect(names(filterRows(rows, ' review', []))).toEqual(['reviews', 'REVIEWS-2'])
    expect(names(filterRows(rows, 'gro', []))).toEqual(['Größe'])
    expect(names(filterRows(rows, '', []))).toHaveLength(3)
  })

  test('is filtered by workspaces and words together', () => {
    const rows = rowsOf(home({ name: 'a' }, { name: 'b', workspace: 'w2' }, { name: 'ab', workspace: 'w2' }))
    expect(names(filterRows(rows, 'a', ['arts']))).toEqual(['ab'])
    expect(names(filterRows(rows, '', ['arts', 'zoo']))).toHaveLength(3)
  })

  test('is sorted by time to the microsecond, and by name with numbers in numeric order', () => {
    const rows = rowsOf(
      home(
        { name: 'set 10', active: '2026-01-01T10:00:00', created: '2026-01-03T00:00:00' },
        { name: 'set 9', active: '2026-01-01T10:00:00.900000', created: '2026-01-02T00:00:00' },
        { name: 'Set 1', active: '2026-01-01T09:00:00.123456', created: '2026-01-01T00:00:00' },
      ),
    )
    expect(names(sortRows(rows, { key: 'updatedAt', order: 'desc' }))).toEqual(['set 9', 'set 10', 'Set 1'])
    expect(names(sortRows(rows, { key: 'createdAt', order: 'asc' }))).toEqual(['Set 1', 'set 9', 'set 10'])
    expect(names(sortRows(rows, { key: 'name', order: 'asc' }))).toEqual(['Set 1', 'set 9', 'set 10'])
  })

  test('lists published datasets with pending records or drafts of the user first', () => {
    const rows = rowsOf(
      home(
        { name: 'done' },
        { name: 'waiting', pending: 3 },
        { name: 'drafts', draft: 1 },
        { name: 'unpublished', pending: 3, status: 'draft' },
      ),
    )
    const { pending, rest } = splitRows(rows)
    expect(names(pending)).toEqual(['waiting', 'drafts'])
    expect(names(rest)).toEqual(['done', 'unpublished'])
  })

  test('counts the datasets of every workspace, including empty ones', () => {
    expect(workspaceCounts(home({ name: 'a' }, { name: 'b' }))).toEqual([
      { name: 'arts', datasets: 0 },
      { name: 'zoo', datasets: 2 },
    ])
  })
})
