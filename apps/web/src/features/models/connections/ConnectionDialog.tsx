import type { ModelConnection } from '@postil/contract/model-connections.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Input } from '#ui/controls/Input.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import { FormDialog } from '#ui/overlays/FormDialog.tsx'
import { useModels } from '../context.ts'
import styles from '../models.module.css'
import { parseNumber } from '../numbers.ts'
import { useAction } from '../use-action.ts'

const MOST_PRICE = 1_000_000
const MOST_REQUESTS = 64

const isWebUrl = (text: string): boolean => {
  const url = URL.parse(text.trim())
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
}
const textOf = (number: number | null | undefined): string => (number === null || number === undefined ? '' : String(number))

type Props = {
  /** Null for a new connection. */
  readonly connection: ModelConnection | null
  readonly onClose: () => void
}

/** The address, model, key and prices of a connection. */
export const ConnectionDialog = ({ connection, onClose }: Props) => {
  const { t } = useTranslation('features/models')
  const { calls } = useModels()
  const { busy, run } = useAction()
  const [name, setName] = useState(connection?.name ?? '')
  const [url, setUrl] = useState(connection?.base_url ?? '')
  const [model, setModel] = useState(connection?.model ?? '')
  const [key, setKey] = useState('')
  const [isKeyRemoved, setKeyRemoved] = useState(false)
  const [input, setInput] = useState(textOf(connection?.input_price))
  const [output, setOutput] = useState(textOf(connection?.output_price))
  const [requests, setRequests] = useState(textOf(connection?.concurrency ?? 4))
  const prices = [parseNumber(input, 0, MOST_PRICE), parseNumber(output, 0, MOST_PRICE)] as const
  const concurrency = parseNumber(requests, 1, MOST_REQUESTS, true)
  const isUrlWrong = url !== '' && !isWebUrl(url)
  const isComplete = name.trim() !== '' && model.trim() !== '' && isWebUrl(url)
  const isValid = isComplete && !prices.includes(undefined) && typeof concurrency === 'number'
  const isMoved = connection !== null && url.trim().replace(/\/+$/, '') !== connection.base_url
  const save = async (): Promise<void> => {
    const [input_price = null, output_price = null] = prices
    const body = {
      name: name.trim(),
      base_url: url.trim(),
      model: model.trim(),
      input_price,
      output_price,
      concurrency: concurrency ?? 4,
    }
    const api_key = isKeyRemoved ? null : key.trim() === '' ? undefined : key.trim()
    const sent = { ...body, ...(api_key !== undefined && { api_key }) }
    const done = await run(() =>
      connection === null ? calls.createConnection(sent) : calls.updateConnection(connection.id, sent),
    )
    if (done) onClose()
  }
  return (
    <FormDialog
      title={connection ? t('connections.editTitle') : t('connections.add')}
      submitLabel={connection ? t('save') : t('connections.addVerb')}
      busy={busy}
      blocked={!isValid}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Input
        label={t('connections.name')}
        autoComplete="off"
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Input
        label={t('connections.url')}
        hint={t('connections.urlHint')}
        error={isUrlWrong ? t('connections.urlFault') : null}
        type="url"
        autoComplete="off"
        autoCapitalize="none"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <Input
        label={t('connections.model')}
        hint={t('connections.modelHint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
        value={model}
        onChange={(event) => setModel(event.target.value)}
      />
      <Input
        label={t('connections.key')}
        hint={connection?.has_key ? (isMoved ? t('connections.keyAgain') : t('connections.keyKept')) : t('connections.keyHint')}
        type="password"
        autoComplete="off"
        disabled={isKeyRemoved}
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
      {connection?.has_key && <Switch label={t('connections.removeKey')} checked={isKeyRemoved} onChange={setKeyRemoved} />}
      <div className={styles['pair']}>
        <Input
          label={t('connections.inputPrice')}
          inputMode="decimal"
          error={prices[0] === undefined ? t('numberFault') : null}
          value={input}
          onChange={(event) => setInput(event.target.value)}
        />
        <Input
          label={t('connections.outputPrice')}
          inputMode="decimal"
          error={prices[1] === undefined ? t('numberFault') : null}
          value={output}
          onChange={(event) => setOutput(event.target.value)}
        />
      </div>
      <p className={styles['hint']}>{t('connections.priceHint')}</p>
      <Input
        label={t('connections.concurrency')}
        inputMode="numeric"
        error={typeof concurrency === 'number' ? null : t('wholeFault', { least: 1, most: MOST_REQUESTS })}
        value={requests}
        onChange={(event) => setRequests(event.target.value)}
      />
    </FormDialog>
  )
}
