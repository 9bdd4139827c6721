import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { FormEvent, KeyboardEvent } from 'react'
import { useRef, useState } from 'react'
import { fieldSlice } from '#field-types/registry.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isComposing } from '#lib/keys/is-composing.ts'
import { directionOf } from '#lib/text/direction.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { CloseIcon } from '#ui/marks/first-icons.tsx'
import { SearchIcon } from '#ui/marks/icons.tsx'
import styles from './TextSearch.module.css'

type Search = AnnotationQuery['search']
type Props = { readonly search: Search; readonly fields: readonly Field[]; readonly onSearch: (search: Search) => void }

/** The option for all fields. The value is empty because the name of a field can be any text except an empty one. */
const all = ''

/** Searches records in all fields or in one. Enter applies the search. Escape and the clear button reset it. */
export const TextSearch = ({ search, fields, onSearch }: Props) => {
  const { t } = useTranslation('features/annotate')
  const [text, setText] = useState(search?.text ?? '')
  const [applied, setApplied] = useState(search)
  const [field, setField] = useState(search?.field ?? all)
  const input = useRef<HTMLInputElement>(null)
  if (applied !== search) {
    // The URL has changed through back navigation or a link.
    setApplied(search)
    setText(search?.text ?? '')
    setField(search?.field ?? all)
  }

  const apply = (words: string, name: string): void =>
    onSearch(words.trim() === '' ? null : { text: words.trim(), field: name === all ? null : name })
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    apply(text, field)
  }
  const clear = (): void => {
    setText('')
    if (search) onSearch(null)
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || text === '' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    clear()
  }

  const searchable = fields.filter((one) => fieldSlice(one.settings).isSearchable)
  return (
    <search className={styles['search']} data-active={search ? '' : undefined}>
      <form className={styles['form']} onSubmit={onSubmit}>
        <IconButton
          icon={SearchIcon}
          type="submit"
          label={t('toolbar.search')}
          className={styles['icon']}
          onClick={() => text === '' && input.current?.focus()}
        />
        <input
          ref={input}
          type="text"
          enterKeyHint="search"
          className={styles['input']}
          aria-label={t('toolbar.searchRecords')}
          placeholder={t('toolbar.searchRecords')}
          autoComplete="off"
          dir={directionOf(text)}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {text !== '' && (
          <IconButton icon={CloseIcon} label={t('toolbar.clearSearch')} className={styles['icon']} onClick={clear} />
        )}
      </form>
      {searchable.length > 1 && (text !== '' || search) && (
        <Select
          label={t('toolbar.searchIn')}
          value={field}
          options={[
            { value: all, label: t('toolbar.allFields') },
            ...searchable.map((one) => ({ value: one.name, label: one.title })),
          ]}
          onChange={(name) => {
            setField(name)
            if (text.trim() !== '') apply(text, name)
          }}
        />
      )}
    </search>
  )
}
