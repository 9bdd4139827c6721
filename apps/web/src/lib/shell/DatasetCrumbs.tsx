import type { Dataset } from '@postil/contract/datasets.ts'
import { useQuery } from '@tanstack/react-query'
import { workspaceQuery } from '#lib/api/dataset-queries.ts'
import { printWorkspaces } from '#lib/url/home-search.ts'
import { type Crumb, type CrumbLink, Crumbs } from './Crumbs.tsx'

type Props = {
  /** Undefined while it loads. */
  readonly dataset: Dataset | undefined
  /** The current page. Omitted if it is the dataset's own page. */
  readonly page?: {
    readonly label: string
    readonly to: Extract<CrumbLink, { readonly params: { readonly datasetId: string } }>['to']
  }
}

export const DatasetCrumbs = ({ dataset, page }: Props) => {
  const { data: workspace } = useQuery({ ...workspaceQuery(dataset?.workspace_id ?? ''), enabled: dataset !== undefined })
  if (dataset === undefined) return <Crumbs crumbs={[]} />
  const params = { datasetId: dataset.id }
  const crumbs: readonly Crumb[] = [
    ...(workspace
      ? [{ label: workspace.name, link: { to: '/' as const, search: { workspaces: printWorkspaces([workspace.name]) } } }]
      : []),
    { label: dataset.name, link: { to: '/dataset/$datasetId/annotation-mode', params } },
    ...(page ? [{ label: page.label, link: { to: page.to, params } }] : []),
  ]
  return <Crumbs crumbs={crumbs} />
}
