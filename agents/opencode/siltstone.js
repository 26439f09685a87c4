const SILT = ["silt"]
const MCP = []
const COMMANDS = { status: "" }
// Siltstone's door in OpenCode: it hands what happens to `silt hook opencode`, one JSON object on standard
// input, and OpenCode what that answers, one JSON object on standard output. `silt install opencode` writes
// the first three lines. Nothing here decides what is remembered or shown, and nothing here may break OpenCode:
// whatever goes wrong, a hook changes nothing.

import { spawn } from "node:child_process"

const LIMIT_MS = 2500 // of one call; silt ends by itself after 2 s
const COMMAND_MS = 20000 // of a command that the user typed and waits for
const REST_MS = 10000 // after a call that took all of LIMIT_MS: so long no turn waits for another
const LEAVE_MS = 1000 // what OpenCode's end may be held up
const TOAST_MS = 6000
const MOST_CHARS = 1000000 // of one text that is handed over; OpenCode cuts its own tools' output far below
const OTHERS = /^You are a (title generator|context summarization agent)\b/ // system prompts of no turn
const COMMAND = {
  description: `Siltstone's memory: ${Object.keys(COMMANDS).join(", ")}`,
  template: "`/silt $ARGUMENTS` was run, and what it said follows. Tell the user what it says, and do no more.",
}
const SIDE = new Set(["title", "compaction", "summary"]) // OpenCode's own agents, with models of their own
const UNWAITED = new Set(["session.compacted", "session.idle", "session.deleted", "dispose"])
const LAST = Symbol.for("siltstone.plugin") // directory → the copy of this file that was started last

/** Runs silt: what it says, "" when it cannot be run, nothing when its time was over. The child outlives
    this process. */
function run(words, input, ms, options) {
  return new Promise((resolve) => {
    try {
      const [program, ...first] = SILT
      const stdio = ["pipe", "pipe", options ? "pipe" : "ignore"]
      const child = spawn(program, [...first, ...words], { detached: true, stdio, ...options })
      const said = []
      const end = (text) => (clearTimeout(timer), resolve(text))
      const timer = setTimeout(() => (child.kill("SIGKILL"), end()), ms)
      child.on("error", () => end(""))
      child.on("close", () => end(Buffer.concat(said).toString("utf8")))
      child.stdin.on("error", () => {})
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on("error", () => {})
        stream?.on("data", (bytes) => said.push(bytes))
      }
      child.stdin.end(input)
      child.unref()
    } catch {
      resolve("")
    }
  })
}

/** Without the quotes that `opencode run --command` puts around a word with blanks in it. */
const unquoted = (words) => (/^"([^"\\]|\\.)*"$/s.test(words) ? words.slice(1, -1).replaceAll('\\"', '"') : words)

/** `/silt remember …`, run as it stands: no shell reads it. */
function typedCommand(words, cwd) {
  const [, verb, given] = unquoted(words.trim()).match(/^(\S*)\s*(.*)$/s)
  const rest = unquoted(given)
  if (!Object.hasOwn(COMMANDS, verb || "status")) return `There is /silt ${Object.keys(COMMANDS).join(", ")}.`
  if (COMMANDS[verb] && !rest) return `/silt ${verb} wants ${COMMANDS[verb]}.`
  return run(COMMANDS[verb] ? [verb, "--", rest] : [verb || "status"], "", COMMAND_MS, { cwd })
}

/** A call that the user does not want made: OpenCode gives the agent its message in place of a result. */
class Held extends Error {}

const string = (value) => (typeof value === "string" ? value : undefined)
const cut = (text) => (string(text) ?? "").slice(0, MOST_CHARS)
const fill = ({ tokens, limit, reserve }) => ({ tokens, limit, reserve }) // of the session's context
const BY_COMMAND = "command" // what one of the user's commands came to is marked so: OpenCode does not
const isTyped = (one) =>
  one.type === "text" && !one.synthetic && !one.ignored && one.metadata?.siltstone !== BY_COMMAND
const CHANGING = new Set(["bash", "shell", "edit", "multiedit", "write", "apply_patch", "patch"])
const isHeadless = (rules) =>
  Array.isArray(rules) && rules.some((one) => one?.permission === "question" && one.action === "deny")
const isUntitled = (title) => /^New session - /.test(title)
const typed = (parts) => parts.filter(isTyped).map((one) => one.text)

export const Siltstone = async ({ client, directory }) => {
  if (process.env.SILT_OWN === "1") return {} // silt itself asks this OpenCode: nothing to show or to learn

  const me = {}
  const started = (globalThis[LAST] ??= new Map())
  started.set(directory, me)
  const mine = () => started.get(directory) === me // else installed twice, and another copy does the work

  const sessions = new Map()
  const underWay = new Set()
  let latest = ""
  let rested = 0 // when silt, which hung, may hold up a turn again

  const known = (id) => {
    if (!sessions.has(id)) sessions.set(id, { opening: "", asked: "", said: [] })
    return sessions.get(id)
  }

  /** The session, unless a sub-agent works in it: those are shown nothing and tell nothing. */
  const own = async (id) => {
    if (!id || !mine()) return undefined
    const session = known(id)
    if (session.parent === undefined) {
      const found = await client.session.get({ path: { id } }).catch(() => undefined)
      session.parent ??= found?.data?.parentID ?? ""
      session.headless ??= isHeadless(found?.data?.permission) || undefined
      session.untitled ??= isUntitled(found?.data?.title)
    }
    return session.parent ? undefined : session
  }

  /** Tells silt what happened; its answer. The time sets apart what is told twice in the same words. */
  const ask = async (event, id, told = {}) => {
    if (Date.now() < rested && !UNWAITED.has(event)) return {}
    const payload = { hook_event_name: event, session: id, cwd: directory, at: Date.now(), ...told }
    const answer = run(["hook", "opencode"], JSON.stringify(payload), LIMIT_MS).then((text) => {
      if (text === undefined) rested = Date.now() + REST_MS
      try {
        const { context, output, held, told } = JSON.parse(text)
        return { context: string(context), output: string(output), held: string(held), told: string(told) }
      } catch {
        return {}
      }
    })
    underWay.add(answer)
    return answer.finally(() => underWay.delete(answer))
  }

  /** A line for the person, where OpenCode has a screen. */
  const toast = (message) => {
    const body = { message, variant: "info", duration: TOAST_MS }
    if (message) client.tui?.showToast({ body })?.catch(() => {})
  }

  /** The block of the system prompt: asked for once a turn, so that the steps of a turn share its bytes. */
  const block = (id, session) => {
    const told = { text: session.opening, headless: session.headless }
    return (session.block ??= ask("system", id, told).then((said) => {
      if (!session.greeted) toast(said.told)
      session.greeted = true
      return said.context
    }))
  }

  const events = {
    "session.created": ({ info }) => {
      const headless = isHeadless(info.permission) || undefined
      Object.assign(known(info.id), { parent: info.parentID ?? "", headless, untitled: isUntitled(info.title) })
    },
    "message.updated": ({ info }) => {
      if (info.role !== "assistant") return
      const session = known(info.sessionID)
      if (info.summary) return (session.summing = info.id)
      const { input = 0, output = 0, cache = {} } = info.tokens ?? {}
      const used = input + output + (cache.read ?? 0) + (cache.write ?? 0)
      if (used) session.tokens = used
    },
    // OpenCode takes undone messages out when the next one is typed, just before that is told.
    "message.removed": ({ sessionID }) => void Object.assign(known(sessionID), { undone: true, note: undefined }),
    "session.compacted": async ({ sessionID }) => {
      const session = await own(sessionID)
      if (!session) return
      const { summary, asked } = session
      const emptied = { summing: "", summary: "", note: undefined, block: undefined, tokens: undefined }
      Object.assign(session, { ...emptied, opening: asked })
      await ask("session.compacted", sessionID, { text: cut(summary) })
    },
    "session.idle": async ({ sessionID }) => {
      const session = await own(sessionID)
      if (!session) return
      const text = cut(session.said.splice(0).join("\n\n"))
      await ask("session.idle", sessionID, { text, ...fill(session) })
    },
    "session.deleted": async ({ info }) => {
      sessions.delete(info.id)
      if (mine() && !info.parentID) await ask("session.deleted", info.id)
    },
  }

  const hooks = {
    config: async (config) => {
      if (!mine()) return
      // What the user has set under our name stays.
      config.command = { silt: COMMAND, ...config.command }
      if (MCP.length) config.mcp = { siltstone: { type: "local", command: [...SILT, ...MCP] }, ...config.mcp }
    },

    event: async ({ event }) => void (await events[event.type]?.(event.properties)),

    "chat.message": async (input, output) => {
      const { sessionID } = input
      const text = cut(typed(output.parts).join("\n\n"))
      const session = text && (await own(sessionID))
      if (!session) return
      latest = sessionID
      session.asked = text
      session.block = undefined
      const { untitled } = session
      session.untitled = false
      if (!session.opening) {
        // First the block, which begins with what fits the first message: then the message gets no more.
        session.opening = text
        await block(sessionID, session)
      }
      const { id: message, model } = output.message
      const told = { text, message, model: model && `${model.providerID}/${model.modelID}`, ...fill(session) }
      told.headless = session.headless
      if (session.undone) told.undone = true
      session.undone = false
      const { context, told: kept } = await ask("chat.message", sessionID, told)
      toast(kept)
      if (untitled) session.note = context // OpenCode makes the title of all that stands in its first message
      if (!context || untitled) return
      const { id, messageID } = output.parts.at(-1)
      // Parts stand in the order of their ids.
      output.parts.push({ id: `${id}z`, messageID, sessionID, type: "text", text: context, synthetic: true })
    },

    "chat.params": async (input) => {
      if (SIDE.has(input.agent)) return
      Object.assign(known(input.sessionID), {
        limit: input.model?.limit?.context || undefined,
        reserve: input.model?.limit?.output || undefined,
      })
    },

    "experimental.chat.system.transform": async (input, output) => {
      if (OTHERS.test(output.system[0] ?? "")) return
      const session = await own(input.sessionID)
      const text = session && (await block(input.sessionID, session))
      const shown = [text, session?.note].filter(Boolean).join("\n")
      if (shown) output.system.push(shown)
    },

    "tool.execute.before": async ({ tool, sessionID }, { args }) => {
      if (!mine() || !CHANGING.has(tool)) return
      await own(sessionID)
      const session = known(sessionID)
      const { context, held } = await ask("tool.before", sessionID, { parent: session.parent, tool, input: args })
      if (held) throw new Held(held)
      if (context) session.before = [...(session.before ?? []), context] // OpenCode takes it behind an output only
    },

    "tool.execute.after": async (input, output) => {
      if (typeof output.output !== "string") return
      for (const one of sessions.get(input.sessionID)?.before?.splice(0) ?? []) output.output += `\n\n${one}`
      if (!(await own(input.sessionID))) return
      const { tool, args } = input
      const whole = output.output.length <= MOST_CHARS
      const told = { tool, input: args, output: cut(output.output), exit: output.metadata?.exit }
      const said = await ask("tool.after", input.sessionID, { ...told, ...fill(sessions.get(input.sessionID)) })
      if (whole) output.output = said.output ?? output.output
      if (said.context) output.output += `\n\n${said.context}`
    },

    "experimental.text.complete": async (input, output) => {
      const session = mine() && sessions.get(input.sessionID)
      if (!session) return
      if (session.summing === input.messageID) session.summary = output.text
      else if (!session.parent) session.said.push(output.text)
    },

    "experimental.session.compacting": async (input, output) => {
      const said = (await own(input.sessionID)) && (await ask("session.compacting", input.sessionID))
      if (said?.context) output.context.push(said.context)
    },

    "command.execute.before": async (input, output) => {
      if (!mine()) return
      if (input.command !== "silt") {
        for (const part of output.parts.filter(isTyped)) {
          part.metadata = { ...part.metadata, siltstone: BY_COMMAND }
        }
        return
      }
      // Nothing of it counts as typed: it is neither asked about nor learned from.
      for (const part of output.parts) part.synthetic = true
      const said = await typedCommand(input.arguments, directory)
      output.parts.push({ type: "text", text: said || "silt said nothing.", synthetic: true })
    },

    dispose: async () => {
      if (!mine()) return
      started.delete(directory)
      if (latest) ask("dispose", latest)
      let timer
      const enough = new Promise((resolve) => (timer = setTimeout(resolve, LEAVE_MS)))
      await Promise.race([Promise.allSettled([...underWay]), enough])
      clearTimeout(timer)
    },
  }

  const harmless = (hook) => async (input, output) => {
    try {
      await hook(input, output)
    } catch (error) {
      // Else OpenCode goes on as if this plugin were not there.
      if (error instanceof Held) throw error
    }
  }
  return Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, harmless(hook)]))
}
