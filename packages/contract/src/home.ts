import { z } from 'zod'
import { Dataset } from './datasets.ts'
import { fieldKinds } from './field-types/define.ts'
import { Workspace } from './people/workspaces.ts'
import { ResponseMetrics } from './progress.ts'
import { questionKinds } from './question-types/define.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'

/** So many of the people who answered are named; of the others it is told how many they are. */
export const maxNamedPeople = 5

const AnsweredBy = z.strictObject({
  /** Those with the most answers, most first. */
  usernames: z.array(z.string()).max(maxNamedPeople),
  /** Everyone who has answers there, those who are named included. */
  total: z.int(),
})
export type AnsweredBy = z.infer<typeof AnsweredBy>

export const HomeDataset = z.strictObject({
  dataset: Dataset,
  progress: z.strictObject({ total: z.int(), completed: z.int(), pending: z.int() }),
  metrics: ResponseMetrics,
  /** In creation order, each kind once. */
  field_types: z.array(z.enum(fieldKinds)),
  question_types: z.array(z.enum(questionKinds)),
  answered_by: AnsweredBy,
})
export type HomeDataset = z.infer<typeof HomeDataset>

export const Home = z.strictObject({ workspaces: z.array(Workspace), datasets: z.array(HomeDataset) })
export type Home = z.infer<typeof Home>

export const getHome = defineEndpoint({
  id: 'home.get',
  method: 'GET',
  path: '/me/home',
  result: Home,
  addition: true,
  summary: "The caller's workspaces and datasets with progress and own metrics",
})

export const homeEndpoints = [getHome] as const
