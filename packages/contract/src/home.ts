import { z } from 'zod'
import { Dataset } from './datasets.ts'
import { defineEndpoint } from './define-endpoint.ts'
import { fieldKinds } from './field-types/define.ts'
import { ResponseMetrics } from './progress.ts'
import { questionKinds } from './question-types/define.ts'
import { Workspace } from './workspaces.ts'

export const HomeDataset = z.strictObject({
  dataset: Dataset,
  progress: z.strictObject({ total: z.int(), completed: z.int(), pending: z.int() }),
  metrics: ResponseMetrics,
  /** In creation order, each kind once. */
  field_types: z.array(z.enum(fieldKinds)),
  question_types: z.array(z.enum(questionKinds)),
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
