import type { JsonValue } from '@postil/contract/wire/json.ts'
import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { PlainText } from '../shared/PlainText.tsx'
import styles from './Json.module.css'

/** How many characters of a string, and how many members of a list or an object, are shown at first. */
const initially = { characters: 5000, members: 50 }

/** Text of any length. Only its beginning is shown until the reader asks for the rest. */
export const LongText = ({ text, search }: { readonly text: string; readonly search: string | null }) => {
  const { t } = useTranslation('field-types/trace')
  const [isWhole, setWhole] = useState(false)
  const isCut = !isWhole && text.length > initially.characters * 1.2
  return (
    <>
      <PlainText text={isCut ? `${text.slice(0, initially.characters).toWellFormed()}…` : text} search={search} />
      {isCut && (
        <Button look="quiet" onClick={() => setWhole(true)}>
          {t('showText', { count: text.length, formatted: formatCount(text.length) })}
        </Button>
      )}
    </>
  )
}

const membersOf = (value: object): readonly (readonly [string, JsonValue])[] =>
  Array.isArray(value) ? value.map((item: JsonValue, index) => [String(index), item] as const) : Object.entries(value)

const previewLength = 80

/** Returns the beginning of a value, on one line. Reads only as much of the value as the line can show. */
const previewOf = (value: JsonValue, room = previewLength): string => {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, room).toWellFormed())
  if (typeof value !== 'object' || value === null) return String(value)
  const isList = Array.isArray(value)
  const parts: string[] = []
  let length = 0
  for (const [key, member] of membersOf(value)) {
    if (length > room) {
      parts.push('…')
      break
    }
    const part = isList ? previewOf(member, room / 2) : `${key}: ${previewOf(member, room / 2)}`
    parts.push(part)
    length += part.length + 2
  }
  const joined = parts.join(', ')
  return isList ? `[${joined}]` : `{${joined}}`
}

/** The number of members of an unfolded list or object, such as "[3]". */
const sizeOf = (value: object): string => {
  const size = formatCount(membersOf(value).length)
  return Array.isArray(value) ? `[${size}]` : `{${size}}`
}

type Props = {
  readonly value: JsonValue
  readonly search: string | null
  /** The key or the name in front of the value. */
  readonly name?: string
  /** Whether the members are shown at first. */
  readonly isOpen?: boolean
}

const Members = ({ value, search }: { readonly value: object; readonly search: string | null }) => {
  const { t } = useTranslation('field-types/trace')
  const [limit, setLimit] = useState(initially.members)
  const members = membersOf(value)
  const remaining = members.length - limit
  return (
    <>
      <ul className={styles['members']}>
        {members.slice(0, limit).map(([key, member]) => (
          <li key={key}>
            <Json name={key} value={member} search={search} />
          </li>
        ))}
      </ul>
      {remaining > 0 && (
        <Button look="quiet" onClick={() => setLimit(limit * 10)}>
          {t('showMore', { count: remaining, formatted: formatCount(remaining) })}
        </Button>
      )}
    </>
  )
}

/** A value as collapsible JSON. The members of a list or object are rendered only while it is unfolded. */
export const Json = ({ value, search, name, isOpen: isOpenFirst = false }: Props) => {
  const [isOpen, setOpen] = useState(isOpenFirst)
  const title = name !== undefined && <bdi className={styles['key']}>{name}</bdi>
  if (typeof value === 'object' && value !== null) {
    return (
      <details className={styles['value']} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={styles['summary']}>
          {title}
          <bdi className={styles['preview']}>{isOpen ? sizeOf(value) : previewOf(value)}</bdi>
        </summary>
        {isOpen && <Members value={value} search={search} />}
      </details>
    )
  }
  return (
    <div className={styles['scalar']} data-type={typeof value}>
      {title}
      {typeof value === 'string' ? <LongText text={value} search={search} /> : <code>{String(value)}</code>}
    </div>
  )
}
