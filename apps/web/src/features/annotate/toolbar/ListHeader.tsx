import type { Dataset } from '@postil/contract/datasets.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { AnnotationQuery, QueryChange } from '#lib/url/grammar.ts'
import { FilterBar } from '../filters/bar/FilterBar.tsx'
import { FilterChips } from '../filters/bar/FilterChips.tsx'
import { isFiltered } from '../filters/filters.ts'
import type { ListSnapshot } from '../queue/list-item.ts'
import { SimilarityBar } from '../similarity/SimilarityBar.tsx'
import styles from './ListHeader.module.css'
import { Toolbar } from './Toolbar.tsx'

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

/** The controls above the records: status, search, filters, similarity and the position in the list. */
export const ListHeader = ({ dataset, fields, questions, query, onQuery, ...rest }: Props) => {
  const parts = { datasetId: dataset.id, questions, query, onQuery }
  return (
    <>
      <Toolbar
        {...rest}
        query={query}
        fields={fields}
        onStatus={(status) => onQuery({ status })}
        onSearch={(search) => onQuery({ search })}
      />
      <div className={styles['filters']}>
        <FilterBar {...parts} />
        {isFiltered(query) && <FilterChips {...parts} />}
      </div>
      {query.similarity && (
        <SimilarityBar
          datasetId={dataset.id}
          fields={fields}
          similarity={query.similarity}
          onSimilarity={(similarity) => onQuery({ similarity })}
        />
      )}
    </>
  )
}
