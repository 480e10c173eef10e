// The Lua scripts of the Redis store. Each runs as one step, so that no other process sees half of it.
//
// An entry is a string: the time at which it expires, in milliseconds since 1970 (0 = never), a bar, and its value as JSON. The sorted set
// `keys` has the names of all entries with one score, which Redis keeps in the order of their bytes; `expiries` has those that expire, by
// that time. Redis also deletes expired entries by itself, a minute later, but not from these two.

/**
 * What every script begins with. Its keys: `keys`, `expiries`, then entries; its first argument is the time, '' for the server's own: the
 * clock of a machine that was suspended would let entries expire that nobody else takes for expired.
 */
const COMMON = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local function alive(raw)
  if not raw then return nil end
  local bar = string.find(raw, '|', 1, true)
  local expires = tonumber(string.sub(raw, 1, bar - 1))
  if expires ~= 0 and expires <= now then return nil end
  return string.sub(raw, bar + 1), expires
end
local function write(entry, name, json, expires)
  local text = string.format('%.0f', expires)
  redis.call('SET', entry, text .. '|' .. json)
  redis.call('ZADD', KEYS[1], 0, name)
  if expires == 0 then
    redis.call('ZREM', KEYS[2], name)
  else
    redis.call('ZADD', KEYS[2], text, name)
    redis.call('PEXPIREAT', entry, string.format('%.0f', expires + 60000))
  end
end
local function erase(entry, name)
  redis.call('UNLINK', entry)
  redis.call('ZREM', KEYS[1], name)
  redis.call('ZREM', KEYS[2], name)
end
local function later(ms) if ms == '' then return 0 end return math.ceil(now + tonumber(ms)) end
`;

/** Arguments: now, name. Returns the JSON, or nil. */
const GET = `${COMMON} return alive(redis.call('GET', KEYS[3])) or false`;

/** Arguments: now, name, JSON, milliseconds or ''. */
const SET = `${COMMON} write(KEYS[3], ARGV[2], ARGV[3], later(ARGV[4]))`;

/** Arguments: now, name. */
const DELETE = `${COMMON} erase(KEYS[3], ARGV[2])`;

/** Arguments: now, name, the JSON that is expected and the new one ('' = no entry), milliseconds or ''. Returns whether it was as expected. */
const COMPARE_AND_SET = `${COMMON}
local json = alive(redis.call('GET', KEYS[3])) or ''
if json == 'null' then json = '' end
if json ~= ARGV[3] then return 0 end
if ARGV[4] == '' then erase(KEYS[3], ARGV[2]) else write(KEYS[3], ARGV[2], ARGV[4], later(ARGV[5])) end
return 1`;

/**
 * Adds a number to several counters, or to none if one would exceed its maximum. Arguments: now, the number, milliseconds or '', then name
 * and maximum ('' = none) of each. Returns the sums; or 0, the place of the counter that is at fault, and its number ('' = it has none).
 */
const INCREMENT = `${COMMON}
local by, sums, ends = tonumber(ARGV[2]), {}, {}
for i = 3, #KEYS do
  local json, expires = alive(redis.call('GET', KEYS[i]))
  if json and not string.match(json, '^-?%d') then return {'0', tostring(i - 3), ''} end
  local before, most = tonumber(json or '0'), ARGV[2 * i - 1]
  if most ~= '' and before + by > tonumber(most) then return {'0', tostring(i - 3), string.format('%.17g', before)} end
  sums[i - 2] = string.format('%.17g', before + by)
  ends[i - 2] = expires or later(ARGV[3])
end
for i = 3, #KEYS do write(KEYS[i], ARGV[2 * i - 2], sums[i - 2], ends[i - 2]) end
table.insert(sums, 1, '1')
return sums`;

/** Arguments: now, the prefix of entries, lower and upper bound of names, how many. Returns how many names were seen, the last, and name, JSON and expiry of each in turn. */
const LIST = `${COMMON}
local names = redis.call('ZRANGEBYLEX', KEYS[1], ARGV[3], ARGV[4], 'LIMIT', 0, ARGV[5])
local found = {tostring(#names), names[#names] or ''}
for _, name in ipairs(names) do
  local json, expires = alive(redis.call('GET', ARGV[2] .. name))
  if json then
    found[#found + 1] = name
    found[#found + 1] = json
    found[#found + 1] = string.format('%.0f', expires)
  end
end
return found`;

/** Arguments as for LIST. Deletes the entries and returns how many there were. */
const DELETE_SOME = `${COMMON}
local names = redis.call('ZRANGEBYLEX', KEYS[1], ARGV[3], ARGV[4], 'LIMIT', 0, ARGV[5])
for _, name in ipairs(names) do erase(ARGV[2] .. name, name) end
return #names`;

/** Arguments: now, the prefix of entries, how many. Deletes what has expired and returns how many that were. */
const PURGE = `${COMMON}
local names = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now), 'LIMIT', 0, ARGV[3])
for _, name in ipairs(names) do erase(ARGV[2] .. name, name) end
return #names`;

export const scripts = { GET, SET, DELETE, REPLACE: COMPARE_AND_SET, INCREMENT, LIST, DELETE_SOME, PURGE };
