import type { Dataset } from '@postil/contract/datasets.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, notFound } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useUser } from '#features/auth/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { blockingError } from '#lib/api/blocking-error.ts'
import { datasetQuery, fieldsQuery, isUnknownDataset, labelColoursQuery, questionsQuery } from '#lib/api/dataset-queries.ts'
import { DatasetCrumbs } from '#lib/shell/DatasetCrumbs.tsx'
import { DatasetTabs } from '#lib/shell/DatasetTabs.tsx'
import { HeaderContent } from '#lib/shell/header-slots.tsx'
import type { RecordsSearch } from '#lib/url/records-search.ts'
import { LabelHuesContext, noLabelHues } from '#question-types/shared/labels/label-hues.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { answersOf, FilterBar } from './FilterBar.tsx'
import { FilterChips } from './FilterChips.tsx'
import { RecordPanel } from './panel/RecordPanel.tsx'
import { usePeople } from './people.ts'
import styles from './RecordsPage.module.css'
import { SelectionBar } from './SelectionBar.tsx'
import { nextSort, readSort, recordsBody } from './search-body.ts'
import { useSelection } from './selection.ts'
import { columnsOf, useColumnLayout } from './table/columns.ts'
import { RecordsTable } from './table/RecordsTable.tsx'

const route = getRouteApi('/inside/dataset/$datasetId/records')

/** All records of a dataset with everyone's answers. For owners and admins; annotators get a "not found" page. */
export const RecordsPage = () => {
  const { datasetId } = route.useParams()
  const { t } = useTranslation('features/records')
  const user = useUser()
  if (user.role === 'annotator') throw notFound()
  const dataset = useQuery(datasetQuery(datasetId))
  const fields = useQuery(fieldsQuery(datasetId))
  const questions = useQuery(questionsQuery(datasetId))
  const { data: hues = noLabelHues } = useQuery(labelColoursQuery(datasetId))
  useDocumentTitle(t('title'), ...(dataset.data ? [dataset.data.name] : []))
  const error = blockingError(dataset, fields, questions)
  if (isUnknownDataset(error)) throw notFound()
  if (error) throw error
  return (
    <main id="main" tabIndex={-1} className={styles['page']} aria-busy={!questions.data}>
      <HeaderContent
        crumbs={<DatasetCrumbs dataset={dataset.data} page={{ label: t('title'), to: '/dataset/$datasetId/records' }} />}
      />
      <DatasetTabs datasetId={datasetId} isLead />
      <h1 className="visually-hidden">{t('title')}</h1>
      {dataset.data && fields.data && questions.data ? (
        <LabelHuesContext value={hues}>
          <Screen key={datasetId} dataset={dataset.data} fields={fields.data} questions={questions.data} />
        </LabelHuesContext>
      ) : (
        <div className={styles['waiting']}>
          <Skeleton height="9lh" />
        </div>
      )}
    </main>
  )
}

type ScreenProps = { readonly dataset: Dataset; readonly fields: readonly Field[]; readonly questions: readonly Question[] }

const Screen = ({ dataset, fields, questions }: ScreenProps) => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const people = usePeople(dataset.workspace_id)
  const all = useMemo(() => columnsOf(dataset, fields, questions), [dataset, fields, questions])
  const { hidden, toggle, resize, widthOf } = useColumnLayout(useUser().id, dataset.id)
  const columns = all.filter(({ id }) => !hidden.includes(id)).map((column) => ({ ...column, width: widthOf(column) }))
  const { record = null } = search
  // Opening a record changes the address, but not the list.
  const key = JSON.stringify(recordsBody(search))
  const body = useMemo((): SearchBodyInput => JSON.parse(key), [key])
  const change = (next: { readonly [K in keyof RecordsSearch]?: RecordsSearch[K] | undefined }, replace = false): void =>
    void navigate({
      search: (before) =>
        Object.fromEntries(Object.entries({ ...before, ...next }).filter(([, value]) => value !== undefined)) as RecordsSearch,
      replace,
    })
  const open = (id: string | null): void => change({ record: id ?? undefined }, record !== null && id !== null)
  const sort = readSort(search.sort)
  const selection = useSelection(body)
  return (
    <div className={styles['columns']}>
      <div className={styles['list']}>
        <FilterBar
          search={search}
          dataset={dataset}
          body={body}
          questions={questions}
          people={people}
          columns={all}
          hidden={hidden}
          onToggle={toggle}
          onChange={change}
        />
        <FilterChips
          search={search}
          questions={questions}
          people={people}
          isListed={questions.flatMap(answersOf).some(({ value }) => value === search.answer)}
          onRemove={(keys) => change(Object.fromEntries(keys.map((one) => [one, undefined])))}
        />
        <SelectionBar dataset={dataset} body={body} people={people} selection={selection} />
        <RecordsTable
          key={key}
          dataset={dataset}
          body={body}
          columns={columns}
          people={people}
          sort={sort}
          selection={selection}
          openId={record}
          onResize={resize}
          onSort={(column) => change({ sort: nextSort(sort, column) })}
          onOpen={open}
        />
      </div>
      {record !== null && (
        <RecordPanel
          recordId={record}
          dataset={dataset}
          fields={fields}
          questions={questions}
          people={people}
          onClose={() => open(null)}
        />
      )}
    </div>
  )
}
