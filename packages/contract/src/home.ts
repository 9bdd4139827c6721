import { z } from 'zod'
import { Dataset } from './datasets.ts'
import { fieldKinds } from './field-types/index.ts'
import { Workspace } from './people/workspaces.ts'
import { DatasetProgress, ResponseMetrics } from './progress.ts'
import { questionKinds } from './question-types/index.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'

/** The maximum number of users listed by name. The others are only counted. */
export const maxListedPeople = 5

const AnsweredBy = z.strictObject({
  /** The users with the most answers, in descending order. */
  usernames: z.array(z.string()).max(maxListedPeople),
  /** The number of all users with answers, not only of those in `usernames`. */
  total: z.int(),
})
export type AnsweredBy = z.infer<typeof AnsweredBy>

export const HomeDataset = z.strictObject({
  dataset: Dataset,
  progress: DatasetProgress.pick({ total: true, completed: true, pending: true, answers: true, answers_needed: true }),
  metrics: ResponseMetrics,
  /** The distinct kinds in creation order. */
  field_types: z.array(z.enum(fieldKinds)),
  question_types: z.array(z.enum(questionKinds)),
  answered_by: AnsweredBy,
})
export type HomeDataset = z.infer<typeof HomeDataset>

export const Home = z.strictObject({
  workspaces: z.array(Workspace),
  datasets: z.array(HomeDataset),
  /** Whether records of any of these datasets are, or have ever been, assigned to people. */
  has_assignments: z.boolean(),
})
export type Home = z.infer<typeof Home>

export const getHome = defineEndpoint({
  id: 'home.get',
  method: 'GET',
  path: '/me/home',
  result: Home,
  addition: true,
  summary: "Get the caller's workspaces and datasets, with progress and the caller's metrics",
})

export const homeEndpoints = [getHome] as const
