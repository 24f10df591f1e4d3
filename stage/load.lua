-- Counts every answer that is not 2xx or not what it should be, and stops at a number of requests. Run with one thread:
-- counters are a thread's own.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

-- Arguments: how many answers at most; what every page has; what no page may have ("" for neither); a path as
-- string.format takes it, and up to which number it is filled in, at random ("" for the path of the address).
function init(arguments)
  answers = 0
  maximum = tonumber(arguments[1])
  wanted = arguments[2] or ""
  forbidden = arguments[3] or ""
  statuses = ""
  wrong = 0
  counts = {}
  local path, highest = arguments[4] or "", tonumber(arguments[5])
  if path ~= "" then
    math.randomseed(os.time())
    function request() return wrk.format(nil, string.format(path, math.random(highest))) end
  end
end

function response(status, _, body)
  answers = answers + 1
  if status < 200 or status > 299 then
    counts[status] = (counts[status] or 0) + 1
    -- Only strings and numbers cross from a thread to done().
    statuses = ""
    for code, count in pairs(counts) do
      statuses = statuses .. (statuses == "" and "" or ",") .. string.format('"%d":%d', code, count)
    end
  elseif wanted ~= "" and not string.find(body, wanted, 1, true) then
    wrong = wrong + 1
  elseif forbidden ~= "" and string.find(body, forbidden, 1, true) then
    wrong = wrong + 1
  end
  if answers >= maximum then wrk.thread:stop() end
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    'load {"requests":%d,"seconds":%.3f,"statuses":{%s},'
      .. '"errors":{"connect":%d,"read":%d,"write":%d,"timeout":%d,"wrong content":%d},'
      .. '"latencyUs":{"median":%d,"p99":%d,"max":%d}}',
    summary.requests, summary.duration / 1e6, threads[1]:get("statuses"),
    errors.connect, errors.read, errors.write, errors.timeout, threads[1]:get("wrong"),
    latency:percentile(50), latency:percentile(99), latency.max
  ))
end
