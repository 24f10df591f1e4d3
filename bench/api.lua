-- Asks for records at random: each `{N}` of the path is a number from 1 to N. Counts every answer that is not 2xx.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(arguments)
  path = arguments[1]
  ids = {}
  for id in string.gmatch(arguments[2] or "", "%d+") do table.insert(ids, id) end
  failed = 0
  math.randomseed(tonumber(arguments[3]))
end

function request()
  local filled = string.gsub(path, "{(%a*)(%d*)}", function(word, maximum)
    if word == "id" then return ids[math.random(#ids)] end
    return tostring(math.random(tonumber(maximum)))
  end)
  return wrk.format("GET", filled)
end

function response(status)
  if status < 200 or status > 299 then failed = failed + 1 end
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    'load {"requests":%d,"seconds":%.3f,"failed":%d,"p50Us":%d,"p99Us":%d}',
    summary.requests, summary.duration / 1e6,
    threads[1]:get("failed") + errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)
  ))
end
