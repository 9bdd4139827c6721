import type { Dataset } from '@postil/contract/datasets.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { PrintedReviewSettings, ReviewSettingsInput } from '@postil/contract/review.ts'
import { useQuery } from '@tanstack/react-query'
import { PeopleList } from '#features/assignments/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isUnknownDataset, workspaceUsersQuery } from '#lib/api/dataset-queries.ts'
import { reviewSettingsQuery } from '#lib/api/review-queries.ts'
import { questionSlice } from '#question-types/registry.ts'
import { Input } from '#ui/controls/Input.tsx'
import { RadioList } from '#ui/controls/RadioList.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import type { SettingsCalls } from '../api.ts'
import { useEdit } from '../edits.ts'
import { type Fault, wholeNumber } from '../rules.ts'
import { useFaultText } from '../use-fault-text.ts'
import { ItemForm } from './ItemForm.tsx'
import styles from './ReviewSection.module.css'
import pageStyles from './SettingsPage.module.css'
import { type ShownTestItems, TestItemFields, testItemFaults } from './TestItemFields.tsx'

type Props = { readonly dataset: Dataset; readonly questions: readonly Question[]; readonly calls: SettingsCalls }

const modes = ['off', 'disagreements', 'sample', 'all'] as const
/** The server's maximum for answers per record. */
const maxNeeds = 1_000_000

/** Formats a share from 0 to 1 as a percentage. Keeps all decimals, but removes floating-point errors. */
const printPercent = (share: number): string => String(Number((share * 100).toPrecision(12)))
/**
 * The server's defaults for deciding by majority: the minimum number of answers, and the share of answers that a majority must
 * exceed.
 */
const [defaultMin, defaultShare] = [2, 0.5]
const wholeShare = printPercent(1)
/** The interval between test items, in records, that the form suggests when test items are turned on. */
const defaultEvery = 20

/** The settings as they are shown: numbers as text. */
type Shown = ShownTestItems & {
  readonly mode: (typeof modes)[number]
  readonly sample: string
  readonly needs: string
  readonly below: { readonly [question: string]: string }
  readonly reviewers: readonly string[]
  readonly ownAnswers: boolean
  readonly hideNames: boolean
  readonly publishAs: string
  readonly autoUnanimous: boolean
  readonly autoMajority: boolean
  readonly autoMin: string
  readonly autoShare: string
}
const shownOf = (settings: PrintedReviewSettings): Shown => ({
  mode: settings.mode,
  sample: printPercent(settings.sample),
  needs: settings.needs === null ? '' : String(settings.needs),
  below: Object.fromEntries(Object.entries(settings.below).map(([name, share]) => [name, printPercent(share)])),
  reviewers: settings.reviewers.map(({ id }) => id),
  ownAnswers: settings.own_answers,
  hideNames: settings.names === 'hidden',
  publishAs: settings.publish_gold_as ?? '',
  autoUnanimous: settings.auto.unanimous,
  autoMajority: settings.auto.majority !== null,
  autoMin: String(settings.auto.majority?.min ?? defaultMin),
  autoShare: printPercent(settings.auto.majority?.share ?? defaultShare),
  checks: settings.checks !== null,
  checksEvery: String(settings.checks?.every ?? defaultEvery),
  checksView: settings.checks?.view_id ?? '',
  checksStopBelow: settings.checks?.stop_below == null ? '' : printPercent(settings.checks.stop_below),
  checksTolerance: String(settings.checks?.tolerance ?? 0),
})
const bodyOf = (shown: Shown): ReviewSettingsInput => ({
  mode: shown.mode,
  sample: Number(shown.sample) / 100,
  needs: shown.needs === '' ? null : Number(shown.needs),
  below: Object.fromEntries(
    Object.entries(shown.below)
      .filter(([, percent]) => percent !== wholeShare)
      .map(([name, percent]) => [name, Number(percent) / 100]),
  ),
  reviewers: [...shown.reviewers],
  own_answers: shown.ownAnswers,
  names: shown.hideNames ? 'hidden' : 'shown',
  publish_gold_as: shown.publishAs.trim() === '' ? null : shown.publishAs.trim(),
  auto: {
    unanimous: shown.autoUnanimous,
    majority: shown.autoMajority ? { min: Number(shown.autoMin), share: Number(shown.autoShare) / 100 } : null,
  },
  checks: shown.checks
    ? {
        every: Number(shown.checksEvery),
        stop_below: shown.checksStopBelow === '' ? null : Number(shown.checksStopBelow) / 100,
        tolerance: Number(shown.checksTolerance),
        view_id: shown.checksView === '' ? null : shown.checksView,
      }
    : null,
})

export const ReviewSection = (props: Props) => {
  const { data: stored, error } = useQuery(reviewSettingsQuery(props.dataset.id))
  // Doesn't throw if the dataset was deleted, because the page itself reports this.
  if (error && !stored && !isUnknownDataset(error)) throw error
  return stored ? <StoredForm {...props} stored={stored} /> : <Skeleton height="9lh" />
}

const StoredForm = ({ dataset, questions, calls, stored }: Props & { readonly stored: PrintedReviewSettings }) => {
  const { t } = useTranslation('features/settings')
  const faultText = useFaultText()
  const { data: users = [] } = useQuery(workspaceUsersQuery(dataset.workspace_id))
  const storedShown = shownOf(stored)
  const edit = useEdit('review/settings', storedShown)
  const { value } = edit
  const change = (next: Partial<Shown>): void => edit.change({ ...value, ...next })
  const annotators = users.filter(
    ({ id, role, active }) => role === 'annotator' && (active !== false || value.reviewers.includes(id)),
  )
  const measured = questions.filter(({ settings }) => questionSlice(settings).rules.hasAgreement === true)
  /** Checks a percentage that a user typed. The stored value is always accepted, even if it couldn't be entered in this form. */
  const percentFault = (typed: string, storedPercent: string): Fault =>
    typed === storedPercent ? null : wholeNumber(typed, 1, 100)
  const belowOf = (shown: Shown, question: string): string =>
    Object.hasOwn(shown.below, question) ? (shown.below[question] ?? wholeShare) : wholeShare
  const sampleFault = value.mode === 'sample' ? percentFault(value.sample, storedShown.sample) : null
  const needsFault = value.needs === '' ? null : wholeNumber(value.needs, 1, maxNeeds)
  const belowFault = (question: string): Fault => percentFault(belowOf(value, question), belowOf(storedShown, question))
  const autoMinFault = value.autoMajority ? wholeNumber(value.autoMin, 1, maxNeeds) : null
  const autoShareFault =
    value.autoMajority && value.autoShare !== storedShown.autoShare ? wholeNumber(value.autoShare, 1, 99) : null
  const isValid =
    sampleFault === null &&
    autoMinFault === null &&
    autoShareFault === null &&
    needsFault === null &&
    Object.values(testItemFaults(value)).every((fault) => fault === null) &&
    (value.mode !== 'disagreements' || measured.every((question) => belowFault(question.name) === null))
  const nameOf = (id: string): string => users.find((user) => user.id === id)?.username ?? id
  const percent = { type: 'number', inputMode: 'numeric', min: 1, max: 100, step: 1, className: pageStyles['number'] } as const
  return (
    <ItemForm
      title={t('review.title')}
      edit={edit}
      isValid={isValid}
      calls={calls}
      read={async () => shownOf(await calls.readReview())}
      // The server replaces all settings at once, so the request must also include changes that others made in the meantime.
      send={(shown) => calls.setReview(bodyOf(shown))}
      conflictTexts={{
        labelOf: ([part, question]) =>
          question === undefined
            ? t(`review.${part as keyof Shown}`)
            : t('review.belowOf', { title: questions.find((one) => one.name === question)?.title ?? question }),
        print: ([part], conflicting) => {
          if (part === 'mode') return t(`review.modes.${conflicting as Shown['mode']}`)
          return part === 'reviewers' ? (conflicting as readonly string[]).map(nameOf).join(', ') : undefined
        },
      }}
    >
      <RadioList
        legend={t('review.mode')}
        options={modes.map((mode) => ({ value: mode, label: t(`review.modes.${mode}`), hint: t(`review.modeHints.${mode}`) }))}
        value={value.mode}
        onChange={(mode) => change({ mode })}
      />
      {value.mode === 'sample' && (
        <Input
          {...percent}
          label={t('review.sample')}
          error={faultText(sampleFault)}
          value={value.sample}
          onChange={(event) => change({ sample: event.target.value })}
        />
      )}
      {value.mode === 'disagreements' && measured.length > 0 && (
        <fieldset className={styles['thresholds']}>
          <legend>{t('review.below')}</legend>
          <p className={styles['hint']}>{t('review.belowHint')}</p>
          <div className={styles['questions']}>
            {measured.map((question) => (
              <Input
                {...percent}
                key={question.id}
                label={question.title}
                error={faultText(belowFault(question.name))}
                value={belowOf(value, question.name)}
                onChange={(event) => change({ below: { ...value.below, [question.name]: event.target.value } })}
              />
            ))}
          </div>
        </fieldset>
      )}
      {value.mode !== 'off' && (
        <>
          <Input
            label={t('review.needs')}
            hint={t('review.needsHint')}
            error={faultText(needsFault)}
            type="number"
            inputMode="numeric"
            min={1}
            step={1}
            placeholder={String(dataset.distribution.min_submitted)}
            className={pageStyles['number']}
            value={value.needs}
            onChange={(event) => change({ needs: event.target.value })}
          />
          <div className={styles['reviewers']}>
            <span className={styles['label']}>{t('review.reviewers')}</span>
            <p className={styles['hint']}>{annotators.length === 0 ? t('review.noAnnotators') : t('review.reviewersHint')}</p>
            {annotators.length > 0 && (
              <div className={styles['people']}>
                <PeopleList
                  label={t('review.reviewers')}
                  people={annotators}
                  picked={value.reviewers}
                  onPick={(reviewers) => change({ reviewers })}
                />
              </div>
            )}
          </div>
          <Switch
            label={t('review.ownAnswers')}
            hint={t('review.ownAnswersHint')}
            checked={value.ownAnswers}
            onChange={(ownAnswers) => change({ ownAnswers })}
          />
          <Switch
            label={t('review.hideNames')}
            hint={t('review.hideNamesHint')}
            checked={value.hideNames}
            onChange={(hideNames) => change({ hideNames })}
          />
        </>
      )}
      <fieldset className={styles['final']}>
        <legend>{t('review.final')}</legend>
        <Switch
          label={t('review.autoUnanimous')}
          hint={t('review.autoUnanimousHint')}
          checked={value.autoUnanimous}
          onChange={(autoUnanimous) => change({ autoUnanimous })}
        />
        <Switch
          label={t('review.autoMajority')}
          hint={t('review.autoMajorityHint')}
          checked={value.autoMajority}
          onChange={(autoMajority) => change({ autoMajority })}
        />
        {value.autoMajority && (
          <div className={styles['questions']}>
            <Input
              label={t('review.autoMin')}
              error={faultText(autoMinFault)}
              type="number"
              inputMode="numeric"
              min={1}
              step={1}
              className={pageStyles['number']}
              value={value.autoMin}
              onChange={(event) => change({ autoMin: event.target.value })}
            />
            <Input
              {...percent}
              label={t('review.autoShare')}
              error={faultText(autoShareFault)}
              max={99}
              value={value.autoShare}
              onChange={(event) => change({ autoShare: event.target.value })}
            />
          </div>
        )}
        <Input
          label={t('review.publishAs')}
          hint={t('review.publishAsHint')}
          placeholder={t('review.nobody')}
          autoCapitalize="off"
          spellCheck={false}
          value={value.publishAs}
          onChange={(event) => change({ publishAs: event.target.value })}
        />
      </fieldset>
      <TestItemFields datasetId={dataset.id} users={users} stored={stored.checks} value={value} onChange={change} />
    </ItemForm>
  )
}
