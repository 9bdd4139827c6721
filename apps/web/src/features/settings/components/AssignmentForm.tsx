import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { PrintedOrder, PrintedQueueSettings } from '@postil/contract/queue.ts'
import type { VectorSettings } from '@postil/contract/vectors-settings.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#i18n/use-translation.ts'
import { isUnknownDataset, queueSettingsQuery } from '#lib/api/dataset-queries.ts'
import { maxPerPersonMin } from '#lib/constants.ts'
import { questionSlice } from '#question-types/registry.ts'
import { Input } from '#ui/controls/Input.tsx'
import type { Option } from '#ui/controls/Select.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import type { SettingsCalls } from '../api.ts'
import { useEdit } from '../edits.ts'
import { wholeNumber } from '../rules.ts'
import { useFaultText } from '../use-fault-text.ts'
import { ItemForm } from './ItemForm.tsx'
import styles from './SettingsPage.module.css'

type Props = {
  readonly datasetId: string
  /** How many submitted answers each record needs. */
  readonly overlap: number
  readonly questions: readonly Question[]
  readonly properties: readonly MetadataProperty[]
  readonly vectors: readonly VectorSettings[]
  readonly calls: SettingsCalls
}
/** `shuffled`: each person has their own order. Null: insertion order. */
type Order = PrintedQueueSettings['order'] | 'shuffled'
type Choice = Option<string> & { readonly order: Order }

/** The highest limit of records per person that the server accepts. */
const maxPerPersonMax = 1_000_000_000

const aboutOf = (scope: PrintedOrder['scope']): string => {
  if (scope.entity === 'metadata') return scope.metadata_property
  return scope.entity === 'spread' ? scope.vector : (scope.question ?? '')
}

/**
 * Returns the name of the option for an order. Orders that differ only in the sequence of their object keys get the same name.
 * The empty name means insertion order.
 */
const nameOf = (order: Order): string => {
  if (order === 'shuffled') return order
  return (order ?? [])
    .map(({ scope, order: direction }) => {
      const about = aboutOf(scope)
      return JSON.stringify([scope.entity, about, 'property' in scope ? scope.property : '', direction])
    })
    .join()
}

const useOrders = (
  { questions, properties, vectors, overlap }: Pick<Props, 'questions' | 'properties' | 'vectors' | 'overlap'>,
  stored: Order,
): readonly Choice[] => {
  const { t } = useTranslation('features/settings')
  const choice = (order: Order, label: string): Choice => ({ order, value: nameOf(order), label })
  const both = (scope: PrintedOrder['scope'], label: (order: 'asc' | 'desc') => string): Choice[] =>
    (['asc', 'desc'] as const).map((order) => choice([{ scope, order }], label(order)))
  const known = [
    choice(null, t('handingOut.insertionOrder')),
    // A separate order for each person is offered only if several people answer the same records.
    ...(overlap > 1 || stored === 'shuffled' ? [choice('shuffled', t('handingOut.ownOrder'))] : []),
    ...both({ entity: 'record', property: 'inserted_at' }, (order) => t(`handingOut.inserted.${order}`)),
    ...questions.flatMap(({ name, title }) =>
      both({ entity: 'suggestion', question: name, property: 'score' }, (order) => t(`handingOut.score.${order}`, { title })),
    ),
    // A record needs two submitted answers to have an agreement. A pending record can have two only if the overlap is at least
    // three.
    ...(overlap < 3 ? [] : questions.filter(({ settings }) => questionSlice(settings).rules.hasAgreement === true)).map(
      ({ name, title }) =>
        choice(
          [{ scope: { entity: 'record', property: 'agreement', question: name }, order: 'asc' }],
          t('handingOut.agreement', { title }),
        ),
    ),
    ...vectors.map(({ name, title }) =>
      choice([{ scope: { entity: 'spread', vector: name }, order: 'asc' }], t('handingOut.spread', { title })),
    ),
    ...(vectors.length === 0 ? [{ ...choice([], t('handingOut.spreadNeedsVectors')), value: 'spread', isDisabled: true }] : []),
    ...properties.flatMap(({ name, title }) =>
      both({ entity: 'metadata', metadata_property: name }, (order) => t(`handingOut.metadata.${order}`, { title })),
    ),
  ]
  const isKnown = known.some(({ value }) => value === nameOf(stored))
  return isKnown ? known : [...known, choice(stored, t('handingOut.otherOrder'))]
}

const orderIn = ({ order, shuffled }: PrintedQueueSettings): Order => {
  if (order?.length) return order
  return shuffled ? 'shuffled' : null
}
const choicesOf = (settings: PrintedQueueSettings) => ({
  order: orderIn(settings),
  maxPerPerson: settings.max_per_person === null ? '' : String(settings.max_per_person),
  assigned: settings.assigned_by ?? '',
  othersAnswer: settings.others_answer_assigned,
})

/** Settings for the order, the limit per person and the assignees of records. */
export const AssignmentForm = (props: Props) => {
  const { data: stored, error } = useQuery(queueSettingsQuery(props.datasetId))
  // Doesn't throw if the dataset was deleted, because the page itself reports this.
  if (error && !stored && !isUnknownDataset(error)) throw error
  return stored ? <StoredForm {...props} stored={stored} /> : <Skeleton height="9lh" />
}

const StoredForm = ({ stored, calls, ...schema }: Props & { readonly stored: PrintedQueueSettings }) => {
  const { t } = useTranslation('features/settings')
  const faultText = useFaultText()
  const edit = useEdit('general/handing-out', choicesOf(stored))
  const orders = useOrders(schema, orderIn(stored))
  const { order, maxPerPerson, assigned, othersAnswer } = edit.value
  const labelOfOrder = (of: Order): string =>
    orders.find(({ value }) => value === nameOf(of))?.label ?? t('handingOut.otherOrder')
  const fault = maxPerPerson === '' ? null : wholeNumber(maxPerPerson, maxPerPersonMin, maxPerPersonMax)
  const assignable = [
    { value: '', label: t('handingOut.everyone') },
    ...schema.properties
      .filter(({ settings }) => settings.type === 'terms')
      .map(({ name, title }) => ({ value: name, label: t('handingOut.named', { title }) })),
  ]
  return (
    <ItemForm
      title={t('handingOut.title')}
      edit={edit}
      isValid={fault === null}
      calls={calls}
      read={async () => choicesOf(await calls.readQueue())}
      // The server replaces all settings at once, so the request must also include changes that others made in the meantime.
      send={(value) =>
        calls.setQueue({
          order: value.order === 'shuffled' ? null : value.order,
          shuffled: value.order === 'shuffled',
          max_per_person: value.maxPerPerson === '' ? null : Number(value.maxPerPerson),
          assigned_by: value.assigned === '' ? null : value.assigned,
          others_answer_assigned: value.othersAnswer,
        })
      }
      conflictTexts={{
        labelOf: ([part]) => t(`handingOut.${part as keyof typeof edit.value}`),
        print: ([part], value) => {
          if (part === 'order') return labelOfOrder(value as Order)
          return part === 'assigned' ? (assignable.find((choice) => choice.value === value)?.label ?? String(value)) : undefined
        },
      }}
    >
      <div className={styles['choice']}>
        <span aria-hidden="true">{t('handingOut.order')}</span>
        <Select
          label={t('handingOut.order')}
          value={nameOf(order)}
          options={orders}
          onChange={(chosen) =>
            edit.change({ ...edit.value, order: orders.find(({ value }) => value === chosen)?.order ?? null })
          }
        />
        <p>{t('handingOut.orderHint')}</p>
      </div>
      <div className={styles['choice']}>
        <span aria-hidden="true">{t('handingOut.assigned')}</span>
        <Select
          label={t('handingOut.assigned')}
          value={assigned}
          options={assignable}
          onChange={(chosen) => edit.change({ ...edit.value, assigned: chosen })}
        />
        <p>{t('handingOut.assignedHint')}</p>
      </div>
      <Switch
        label={t('handingOut.othersAnswer')}
        hint={t('handingOut.othersAnswerHint')}
        checked={othersAnswer}
        onChange={(checked) => edit.change({ ...edit.value, othersAnswer: checked })}
      />
      <Input
        label={t('handingOut.maxPerPerson')}
        hint={t('handingOut.maxPerPersonHint')}
        error={faultText(fault)}
        type="number"
        inputMode="numeric"
        min={maxPerPersonMin}
        step={1}
        className={styles['number']}
        value={maxPerPerson}
        onChange={(event) => edit.change({ ...edit.value, maxPerPerson: event.target.value })}
      />
    </ItemForm>
  )
}
