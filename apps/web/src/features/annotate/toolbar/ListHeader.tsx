import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import type { Dataset } from '@postil/contract/datasets.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import { Suspense, useState } from 'react'
import type { QueryChange } from '#lib/url/query-change.ts'
import { useMedia } from '#ui/page/use-media.ts'
import { FilterBar } from '../filters/bar/FilterBar.tsx'
import { activeFilters, isFiltered } from '../filters/filters.ts'
import { FilterChips, SimilarityBar } from '../lazy-parts.ts'
import type { ListSnapshot } from '../queue/list-item.ts'
import styles from './ListHeader.module.css'
import { GuidelinesButton, Toolbar } from './Toolbar.tsx'

type Props = {
  readonly dataset: Dataset
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly query: AnnotationQuery
  readonly shown: ListSnapshot
  readonly guidelinesOpen: boolean
  readonly onQuery: (change: QueryChange) => void
  readonly onBulk: (bulk: boolean) => void
  readonly onGuidelines: () => void
  readonly onHelp: () => void
  readonly onNext: () => void
  readonly onPrevious: () => void
}

/**
 * The controls above the records: status, search, filters, similarity and the position in the list. On a phone, the filters and
 * the guidelines are behind a button, unless filters are active.
 */
export const ListHeader = ({ dataset, fields, questions, query, onQuery, ...rest }: Props) => {
  const isPhone = useMedia('(max-width: 30rem)')
  const count = activeFilters(query).length + query.sort.length
  const [isUnfolded, setUnfolded] = useState(count > 0)
  const parts = { datasetId: dataset.id, questions, query, onQuery }
  return (
    <>
      <Toolbar
        {...rest}
        query={query}
        fold={isPhone ? { isOpen: isUnfolded, count, onToggle: () => setUnfolded(!isUnfolded) } : null}
        fields={fields}
        onStatus={(status) => onQuery({ status })}
        onSearch={(search) => onQuery({ search })}
      />
      {(!isPhone || isUnfolded) && (
        <div className={styles['filters']}>
          <FilterBar {...parts} />
          {isPhone && <GuidelinesButton isOpen={rest.guidelinesOpen} onClick={rest.onGuidelines} />}
          {isFiltered(query) && (
            <Suspense>
              <FilterChips {...parts} />
            </Suspense>
          )}
        </div>
      )}
      {query.similarity && (
        <Suspense>
          <SimilarityBar
            datasetId={dataset.id}
            fields={fields}
            similarity={query.similarity}
            onSimilarity={(similarity) => onQuery({ similarity })}
          />
        </Suspense>
      )}
    </>
  )
}
