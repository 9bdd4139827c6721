import { z } from 'zod'
import type { WholeColumn } from '#features/imports/public.ts'
import { OutgoingFault } from '#platform/outgoing/guarded-fetch.ts'
import type { Features } from '#platform/parquet/features.ts'
import type { HubClient, HubConfig } from '../client.ts'

/** The part of a Hub dataset that rows are read from. */
export type HubSource = { readonly name: string; readonly subset: string; readonly split: string }

const Splits = z.object({ splits: z.array(z.object({ config: z.string(), split: z.string() })) })
const Info = z.object({
  dataset_info: z.object({
    features: z.record(z.string(), z.unknown()).nullish(),
    splits: z.record(z.string(), z.object({ num_examples: z.number().nullish() })).nullish(),
  }),
})
const Parquet = z.object({
  parquet_files: z.array(z.object({ config: z.string(), split: z.string(), url: z.string(), filename: z.string() })),
})

const ID = /^[\w.-]{1,96}(\/[\w.-]{1,96})?$/

/** Whether a string is a valid repository ID: `name` or `owner/name`. */
export const isRepoId = (text: string): boolean => ID.test(text) && !/\.\.|--/.test(text) && !/(^|\/)[.-]|[.-](\/|$)/.test(text)

const quoted = (name: string): string => JSON.stringify(name.slice(0, 200))

const ask = async <T>(
  client: HubClient,
  { datasetsServer }: HubConfig,
  [route, params, Schema]: readonly [string, { readonly [name: string]: string }, z.ZodType<T>],
): Promise<T> => {
  const { dataset = '' } = params
  if (!isRepoId(dataset))
    throw new OutgoingFault(`${quoted(dataset)} is not a valid dataset ID. Use the form owner/name`, false, true)
  const url = new URL(`${datasetsServer}/${route}?${new URLSearchParams(params)}`)
  const answer = Schema.safeParse(await client.json(url, `the dataset ${quoted(dataset)}`))
  if (answer.success) return answer.data
  throw new OutgoingFault(`${url.host} answered /${route} in an unexpected format`, false)
}

/** The subsets and splits of a dataset, in order. */
export const splitsOf = async (client: HubClient, config: HubConfig, dataset: string) => {
  const { splits } = await ask(client, config, ['splits', { dataset }, Splits])
  return splits.map((one) => ({ subset: one.config, split: one.split }))
}

/** The columns of a subset, and the row counts of its splits where they are known. */
export const infoOf = async (client: HubClient, config: HubConfig, { name, subset }: Omit<HubSource, 'split'>) => {
  const { dataset_info } = await ask(client, config, ['info', { dataset: name, config: subset }, Info])
  const rows = new Map(
    Object.entries(dataset_info.splits ?? {}).map(([split, { num_examples }]) => [split, num_examples ?? null]),
  )
  return { features: (dataset_info.features ?? {}) as Features, rows }
}

const Statistics = z.object({
  statistics: z.array(
    z.object({
      column_name: z.string(),
      column_statistics: z.object({
        frequencies: z.record(z.string(), z.unknown()).nullish(),
        min: z.unknown().optional(),
        max: z.unknown().optional(),
      }),
    }),
  ),
})
const numberOr = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/**
 * Statistics over all rows of a split, by column. Empty if the Hub has none or doesn't respond, because an import can proceed
 * without them.
 */
export const wholeOf = async (
  client: HubClient,
  config: HubConfig,
  source: HubSource,
): Promise<ReadonlyMap<string, WholeColumn>> => {
  const { name, subset, split } = source
  try {
    const { statistics } = await ask(client, config, ['statistics', { dataset: name, config: subset, split }, Statistics])
    return new Map(
      statistics.map(({ column_name, column_statistics: { frequencies, min, max } }) => [
        column_name,
        { values: frequencies ? Object.keys(frequencies) : null, min: numberOr(min), max: numberOr(max) },
      ]),
    )
  } catch (error) {
    if (error instanceof OutgoingFault) return new Map()
    throw error
  }
}

const HUB = 'https://huggingface.co'

/**
 * The Parquet files of a split, in order. URLs on the official Hub are mapped to the configured Hub, because a mirror serves
 * the same files
 */
export const filesOf = async (client: HubClient, config: HubConfig, source: HubSource): Promise<readonly URL[]> => {
  const { name, subset, split } = source
  const { parquet_files } = await ask(client, config, ['parquet', { dataset: name, config: subset }, Parquet])
  const files = parquet_files.filter((file) => file.config === subset && file.split === split)
  if (files.length === 0) {
    throw new OutgoingFault(
      `The dataset ${quoted(name)} has no split ${quoted(split)} in the subset ${quoted(subset)}`,
      false,
      true,
    )
  }
  return files.map(({ url, filename }) => {
    const address = url.startsWith(`${HUB}/`) ? `${config.hubUrl}${url.slice(HUB.length)}` : url
    if (!URL.canParse(address)) throw new OutgoingFault(`The file ${quoted(filename)} has an invalid URL`, false)
    return new URL(address)
  })
}
