import type { ModelConnection } from '@postil/contract/model-connections.ts'
import { defaultPrompt, dryRunRecords } from '@postil/contract/model-prompt.ts'
import type { ModelPreviewInput } from '@postil/contract/model-runs.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { LabelledSelect } from '#ui/controls/LabelledSelect.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import { TextArea } from '#ui/controls/TextArea.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { useModels } from '../context.ts'
import styles from '../models.module.css'
import { parseNumber } from '../numbers.ts'
import { useAction } from '../use-action.ts'
import { Preview } from './Preview.tsx'

const MOST_EXAMPLES = 20
const MOST_SAMPLES = 10
const MOST_TOKENS = 100_000
const MOST_RECORDS = 100_000
const MOST_COST = 1_000_000_000
const NAME = /^(?=.*[a-zA-Z0-9])[a-zA-Z0-9\-_:. ]+$/

/** The initial setup for asking a model if there are no earlier runs. */
const firstSetup = {
  connection: null,
  name: 'assistant',
  prompt: defaultPrompt,
  rationale: false,
  logprobs: false,
  both_orders: false,
  examples: 0,
  samples: 1,
  max_tokens: 1000,
  temperature: null,
} as const

/** A number field of the form. */
const useNumber = (initial: number | null, least: number, most: number, isWhole = true) => {
  const [text, setText] = useState(initial === null ? '' : String(initial))
  return { text, setText, value: parseNumber(text, least, most, isWhole) }
}

const isPriced = (connection: ModelConnection | undefined): boolean =>
  connection !== undefined && (connection.input_price !== null || connection.output_price !== null)

const hasComparison = (questions: readonly Question[], names: readonly string[]): boolean =>
  questions.some(({ name, settings }) => names.includes(name) && 'compare' in settings)

/**
 * The fields of the form, their errors, and the request that is built from the fields. The form begins with the setup of the
 * latest run.
 */
const useRunForm = () => {
  const { t } = useTranslation('features/models')
  const { questions, connections, runs } = useModels()
  const [latest] = runs
  const before = latest ?? firstSetup
  const asked = questions.filter(({ name }, i) => (latest === undefined ? i === 0 : latest.questions.includes(name)))
  const used = connections.find(({ id }) => id === before.connection?.id) ?? connections[0]
  const [connectionId, setConnectionId] = useState(used?.id ?? '')
  const [name, setName] = useState(before.name)
  const [chosen, setChosen] = useState<readonly string[]>(asked.map((question) => question.name))
  const [prompt, setPrompt] = useState(before.prompt)
  const [rationale, setRationale] = useState(before.rationale)
  const [logprobs, setLogprobs] = useState(before.logprobs)
  const [bothOrders, setBothOrders] = useState(before.both_orders)
  const examples = useNumber(before.examples, 0, MOST_EXAMPLES)
  const samples = useNumber(before.samples, 1, MOST_SAMPLES)
  const tokens = useNumber(before.max_tokens, 1, MOST_TOKENS)
  const temperature = useNumber(before.temperature, 0, 2, false)
  const limit = useNumber(null, 1, MOST_RECORDS)
  const cap = useNumber(null, 0, MOST_COST, false)
  const connection = connections.find(({ id }) => id === connectionId)
  const hasPrices = isPriced(connection)
  const wholeFault = ({ value }: { readonly value: number | null | undefined }, least: number, most: number) =>
    typeof value === 'number' ? null : t('wholeFault', { least, most })
  const faults = {
    name: NAME.test(name) ? null : t('form.nameFault'),
    prompt: prompt.includes('{{fields}}') ? null : t('form.promptFault', { part: '{{fields}}' }),
    examples: wholeFault(examples, 0, MOST_EXAMPLES),
    samples: wholeFault(samples, 1, MOST_SAMPLES),
    tokens: wholeFault(tokens, 1, MOST_TOKENS),
    temperature: temperature.value === undefined ? t('form.temperatureFault') : null,
    limit: limit.value === undefined ? t('wholeFault', { least: 1, most: MOST_RECORDS }) : null,
    cap: hasPrices && (cap.value === undefined || cap.value === 0) ? t('numberFault') : null,
  }
  const isComparing = hasComparison(questions, chosen)
  const body: Omit<ModelPreviewInput, 'record_id'> = {
    connection_id: connectionId,
    name,
    questions: questions.filter((question) => chosen.includes(question.name)).map((question) => question.name),
    prompt,
    examples: examples.value ?? 0,
    samples: samples.value ?? 1,
    max_tokens: tokens.value ?? firstSetup.max_tokens,
    temperature: temperature.value ?? null,
    rationale,
    logprobs,
    both_orders: isComparing && bothOrders,
  }
  return {
    fields: { connectionId, setConnectionId, name, setName, chosen, setChosen, prompt, setPrompt },
    switches: { rationale, setRationale, logprobs, setLogprobs, isComparing, bothOrders, setBothOrders },
    numbers: { examples, samples, tokens, temperature, limit, cap },
    faults,
    hasPrices,
    isValid: connection !== undefined && chosen.length > 0 && Object.values(faults).every((fault) => fault === null),
    body,
    run: { ...body, limit: limit.value ?? null, spend_cap: hasPrices ? (cap.value ?? null) : null },
  }
}

export const RunDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('features/models')
  const { t: tCommon } = useTranslation()
  const { dataset, questions, connections, calls } = useModels()
  const navigate = useNavigate()
  const { busy, run: act } = useAction()
  const { fields, switches, numbers, faults, hasPrices, isValid, body, run: wanted } = useRunForm()
  const { connectionId, setConnectionId, name, setName, chosen, setChosen, prompt, setPrompt } = fields
  const { rationale, setRationale, logprobs, setLogprobs, isComparing, bothOrders, setBothOrders } = switches
  const { examples, samples, tokens, temperature, limit, cap } = numbers
  const start = (dry_run: boolean) =>
    act(async () => {
      const run = await calls.start({ ...wanted, dry_run })
      onClose()
      await navigate({ to: '/dataset/$datasetId/models', params: { datasetId: dataset.id }, search: { run: run.id } })
    })
  const toggle = (question: string): void =>
    setChosen(chosen.includes(question) ? chosen.filter((one) => one !== question) : [...chosen, question])
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('runs.new')}
      wide
      actions={
        <>
          <Button onClick={onClose}>{tCommon('action.cancel')}</Button>
          <Button busy={busy} blocked={!isValid} onClick={() => void start(true)}>
            {t('form.try', { shown: dryRunRecords })}
          </Button>
          <Button look="primary" busy={busy} blocked={!isValid} onClick={() => void start(false)}>
            {t('form.start')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <LabelledSelect
          label={t('form.connection')}
          value={connectionId}
          options={connections.map((one) => ({ value: one.id, label: `${one.name} · ${one.model}` }))}
          onChange={setConnectionId}
        />
        <Input
          label={t('form.name')}
          hint={t('form.nameHint')}
          error={faults.name}
          autoComplete="off"
          maxLength={150}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <fieldset className={styles['questions']}>
          <legend>{t('form.questions')}</legend>
          {questions.map((question) => (
            <label key={question.id}>
              <input type="checkbox" checked={chosen.includes(question.name)} onChange={() => toggle(question.name)} />
              <bdi>{question.title}</bdi>
            </label>
          ))}
        </fieldset>
        <TextArea
          label={t('form.prompt')}
          hint={t('form.promptHint', { open: '{{', close: '}}' })}
          error={faults.prompt}
          className={styles['prompt']}
          rows={8}
          maxLength={20_000}
          value={prompt}
          onChange={(event) => setPrompt(event.target.value)}
        />
        <div className={styles['pair']}>
          <Input
            label={t('form.examples')}
            hint={t('form.examplesHint')}
            error={faults.examples}
            inputMode="numeric"
            value={examples.text}
            onChange={(event) => examples.setText(event.target.value)}
          />
          <Input
            label={t('form.samples')}
            hint={t('form.samplesHint')}
            error={faults.samples}
            inputMode="numeric"
            value={samples.text}
            onChange={(event) => samples.setText(event.target.value)}
          />
          <Input
            label={t('form.tokens')}
            error={faults.tokens}
            inputMode="numeric"
            value={tokens.text}
            onChange={(event) => tokens.setText(event.target.value)}
          />
          <Input
            label={t('form.temperature')}
            hint={t('form.temperatureHint')}
            error={faults.temperature}
            inputMode="decimal"
            value={temperature.text}
            onChange={(event) => temperature.setText(event.target.value)}
          />
          <Input
            label={t('form.limit')}
            hint={t('form.limitHint')}
            error={faults.limit}
            inputMode="numeric"
            value={limit.text}
            onChange={(event) => limit.setText(event.target.value)}
          />
          <Input
            label={t('form.cap')}
            hint={hasPrices ? t('form.capHint') : t('form.capNoPrices')}
            error={faults.cap}
            inputMode="decimal"
            disabled={!hasPrices}
            value={cap.text}
            onChange={(event) => cap.setText(event.target.value)}
          />
        </div>
        <Switch label={t('form.rationale')} checked={rationale} onChange={setRationale} />
        <Switch label={t('form.logprobs')} hint={t('form.logprobsHint')} checked={logprobs} onChange={setLogprobs} />
        {isComparing && (
          <Switch label={t('form.bothOrders')} hint={t('form.bothOrdersHint')} checked={bothOrders} onChange={setBothOrders} />
        )}
        <Preview body={body} isValid={isValid} />
      </div>
    </Dialog>
  )
}
