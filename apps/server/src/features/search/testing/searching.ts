import type { Dataset } from '@postil/contract/datasets.ts'
import type { Client } from '@postil/testkit/client.ts'

type Item = {
  readonly record: {
    readonly id: string
    readonly external_id: string
    readonly responses?: readonly { readonly user_id: string }[]
  }
  readonly query_score: number | null
  readonly number: number
}
export type Found = { readonly items: readonly Item[]; readonly total: number }

export const must = <T>({ status, body }: { status: number; body: T }): T => {
  if (status >= 300) throw new Error(`the server answered ${status} ${JSON.stringify(body)}`)
  return body
}

/** Adds records. @returns their IDs */
export const addRecords = async (user: Client, dataset: Dataset, items: readonly object[]): Promise<string[]> =>
  must(await user.post<{ items: { id: string }[] }>(`/datasets/${dataset.id}/records/bulk`, { items })).items.map(({ id }) => id)

export const search = async (
  user: Client,
  dataset: Dataset,
  body: object,
  options: { readonly own?: boolean; readonly page?: string } = {},
): Promise<Found> =>
  must(await user.post<Found>(`/${options.own ? 'me/' : ''}datasets/${dataset.id}/records/search${options.page ?? ''}`, body))

export const names = ({ items }: Found): string[] => items.map(({ record }) => record.external_id)

export const text = (q: string, field?: string) => ({ query: { text: { q, field } } })
export const answerStatus = (...values: string[]) => ({
  type: 'terms',
  scope: { entity: 'response', property: 'status' },
  values,
})
export const recordStatus = (...values: string[]) => ({ type: 'terms', scope: { entity: 'record', property: 'status' }, values })
