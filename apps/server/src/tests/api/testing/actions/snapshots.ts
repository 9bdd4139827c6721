import type { Snapshot } from '@postil/contract/snapshots.ts'
import { type ApiFixture, must } from '../fixture.ts'
import { uniqueName } from '../refusals/refusal.ts'
import { type Action, admins, members } from './action.ts'

const inRich = ({ rich }: ApiFixture) => ({ params: { dataset_id: rich.dataset.id } })

/** Deletes the snapshots of the rich dataset, so that more can be created. */
export const clearSnapshots = async ({ owner, rich }: ApiFixture): Promise<void> => {
  const path = `/datasets/${rich.dataset.id}/snapshots`
  const { items } = must(await owner.get<{ items: Snapshot[] }>(path))
  for (const { id } of items) must(await owner.delete(`${path}/${id}`))
}

/** Creates a snapshot of the rich dataset. */
export const newSnapshot = async (fixture: ApiFixture) => {
  const { params } = inRich(fixture)
  const body = { name: uniqueName(`${fixture.word} snapshot`) }
  const { id } = must(await fixture.owner.post<Snapshot>(`/datasets/${params.dataset_id}/snapshots`, body))
  return { params: { ...params, snapshot_id: id } }
}

export const snapshotActions: readonly Action[] = [
  {
    id: 'snapshots.list',
    allowed: members,
    missing: 'found first',
    request: async (fixture) => {
      await newSnapshot(fixture)
      return inRich(fixture)
    },
  },
  {
    id: 'snapshots.create',
    allowed: admins,
    personal: true,
    missing: 'found first',
    request: (fixture) => ({ ...inRich(fixture), body: { name: uniqueName('a snapshot') } }),
  },
  {
    id: 'snapshots.rename',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ ...(await newSnapshot(fixture)), body: { name: uniqueName('a snapshot') } }),
  },
  { id: 'snapshots.delete', allowed: admins, personal: true, missing: 'found first', request: newSnapshot },
]
