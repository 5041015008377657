<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>FxScene</name>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>parameter</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>gradient coming in (tangent)</source>
        <translation>传入的梯度（tangent）</translation>
    </message>
    <message>
        <source>value saved by forward</source>
        <translation>前向保存的值</translation>
    </message>
    <message>
        <source>size</source>
        <translation>尺寸</translation>
    </message>
    <message>
        <source>Opcode</source>
        <translation>操作码</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Strides</source>
        <translation>步长</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源码</translation>
    </message>
</context>
<context>
    <name>MapCounter</name>
    <message>
        <source>line of code</source>
        <translation>行代码</translation>
    </message>
    <message>
        <source>lines of code</source>
        <translation>行代码</translation>
    </message>
    <message>
        <source>dispatched</source>
        <translation>次分发</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>次 launch</translation>
    </message>
    <message>
        <source>launches</source>
        <translation>次 launch</translation>
    </message>
    <message>
        <source>%1 in kernels</source>
        <translation>kernel 内用时 %1</translation>
    </message>
    <message>
        <source>node</source>
        <translation>个节点</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>个节点</translation>
    </message>
    <message>
        <source>%1 run by backward</source>
        <translation>反向执行了 %1 个</translation>
    </message>
    <message>
        <source>frame entered</source>
        <translation>次进入</translation>
    </message>
    <message>
        <source>frames entered</source>
        <translation>次进入</translation>
    </message>
    <message>
        <source>1 miss</source>
        <translation>1 次未命中</translation>
    </message>
    <message>
        <source>%1 misses</source>
        <translation>%1 次未命中</translation>
    </message>
    <message>
        <source>1 recompile</source>
        <translation>1 次重编译</translation>
    </message>
    <message>
        <source>%1 recompiles</source>
        <translation>%1 次重编译</translation>
    </message>
    <message>
        <source>limit reached</source>
        <translation>已达上限</translation>
    </message>
    <message>
        <source>hit</source>
        <translation>次命中</translation>
    </message>
    <message>
        <source>hits</source>
        <translation>次命中</translation>
    </message>
    <message>
        <source>frame traced</source>
        <translation>个帧被追踪</translation>
    </message>
    <message>
        <source>frames traced</source>
        <translation>个帧被追踪</translation>
    </message>
    <message>
        <source>guard</source>
        <translation>条 guard</translation>
    </message>
    <message>
        <source>guards</source>
        <translation>条 guard</translation>
    </message>
    <message>
        <source>checked in %1</source>
        <translation>检查用时 %1</translation>
    </message>
    <message>
        <source>break</source>
        <translation>处中断</translation>
    </message>
    <message>
        <source>breaks</source>
        <translation>处中断</translation>
    </message>
    <message>
        <source>the last at line %1</source>
        <translation>最近一处在第 %1 行</translation>
    </message>
    <message>
        <source>operation</source>
        <translation>个算子</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>个算子</translation>
    </message>
    <message>
        <source>ATen node</source>
        <translation>个 ATen 节点</translation>
    </message>
    <message>
        <source>ATen nodes</source>
        <translation>个 ATen 节点</translation>
    </message>
    <message>
        <source>%1 saved for backward</source>
        <translation>为反向保存 %1 个</translation>
    </message>
    <message>
        <source>primitive</source>
        <translation>个基元</translation>
    </message>
    <message>
        <source>primitives</source>
        <translation>个基元</translation>
    </message>
    <message>
        <source>loops → kernels</source>
        <translation>循环 → kernel</translation>
    </message>
    <message>
        <source>loops</source>
        <translation>个循环</translation>
    </message>
    <message>
        <source>line of C++</source>
        <translation>行 C++</translation>
    </message>
    <message>
        <source>lines of C++</source>
        <translation>行 C++</translation>
    </message>
    <message>
        <source>compiled in %1</source>
        <translation>编译用时 %1</translation>
    </message>
    <message>
        <source>in 1 graph</source>
        <translation>共 1 张图</translation>
    </message>
    <message>
        <source>in %1 graphs</source>
        <translation>共 %1 张图</translation>
    </message>
</context>
<context>
    <name>MapWords</name>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Dispatcher</source>
        <translation>Dispatcher</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Autograd tape</source>
        <translation>Autograd tape</translation>
    </message>
    <message>
        <source>Compiled function</source>
        <translation>编译的函数</translation>
    </message>
    <message>
        <source>TorchDynamo</source>
        <translation>TorchDynamo</translation>
    </message>
    <message>
        <source>FX graph</source>
        <translation>FX 图</translation>
    </message>
    <message>
        <source>AOTAutograd</source>
        <translation>AOTAutograd</translation>
    </message>
    <message>
        <source>PrimTorch / ATen IR</source>
        <translation>PrimTorch / ATen IR</translation>
    </message>
    <message>
        <source>TorchInductor</source>
        <translation>TorchInductor</translation>
    </message>
    <message>
        <source>Code generation</source>
        <translation>代码生成</translation>
    </message>
    <message>
        <source>Cache: do the guards hold?</source>
        <translation>缓存：guard 成立吗？</translation>
    </message>
    <message>
        <source>Guards</source>
        <translation>Guard</translation>
    </message>
    <message>
        <source>Graph breaks</source>
        <translation>Graph break</translation>
    </message>
    <message>
        <source>Eager against compiled</source>
        <translation>Eager 与编译的对比</translation>
    </message>
    <message>
        <source>Compiled kernels</source>
        <translation>编译后的 kernel</translation>
    </message>
    <message>
        <source>each line runs at once</source>
        <translation>逐行运行</translation>
    </message>
    <message>
        <source>every operation on its own</source>
        <translation>每个算子单独分发</translation>
    </message>
    <message>
        <source>launched one by one</source>
        <translation>逐个 launch</translation>
    </message>
    <message>
        <source>recorded as the program runs</source>
        <translation>运行时动态记录</translation>
    </message>
    <message>
        <source>its first call compiles</source>
        <translation>第一次调用触发编译</translation>
    </message>
    <message>
        <source>frame hook, reads bytecode</source>
        <translation>帧求值钩子，读取字节码</translation>
    </message>
    <message>
        <source>captured operations</source>
        <translation>捕获的算子</translation>
    </message>
    <message>
        <source>joint graph, functional</source>
        <translation>联合图，函数化</translation>
    </message>
    <message>
        <source>small operations only</source>
        <translation>只剩小的基元</translation>
    </message>
    <message>
        <source>loops, fusion, scheduling</source>
        <translation>循环、融合、调度</translation>
    </message>
    <message>
        <source>C++ / OpenMP for the CPU</source>
        <translation>CPU：C++ / OpenMP</translation>
    </message>
    <message>
        <source>yes: reuse; no: compile</source>
        <translation>成立则复用，否则编译</translation>
    </message>
    <message>
        <source>what the graph relies on</source>
        <translation>图所依赖的条件</translation>
    </message>
    <message>
        <source>what cannot be captured</source>
        <translation>无法捕获之处</translation>
    </message>
    <message>
        <source>fused, few launches</source>
        <translation>已融合，launch 更少</translation>
    </message>
    <message>
        <source>The program. In eager mode every line takes effect before the next one starts.</source>
        <translation>程序本身。在 eager 模式下，每一行都在下一行开始之前生效。</translation>
    </message>
    <message>
        <source>Every operation enters the dispatcher by itself, which walks the dispatch keys (autograd, backend) to the kernel that does the work.</source>
        <translation>每个算子单独进入 dispatcher，由它沿分发键（autograd、后端）找到真正干活的 kernel。</translation>
    </message>
    <message>
        <source>Pointwise operations, reductions and matrix products are launched one after another; between two of them everything goes through memory.</source>
        <translation>逐点运算、归约和矩阵乘逐个 launch；两个算子之间，所有数据都要经过内存。</translation>
    </message>
    <message>
        <source>While forward runs, each operation that needs a gradient leaves a node. backward() walks them from the loss to the leaves.</source>
        <translation>前向运行时，每个需要梯度的算子留下一个节点。backward() 从 loss 一直走到叶子。</translation>
    </message>
    <message>
        <source>A function given to torch.compile is called. The first call triggers capture and compilation.</source>
        <translation>调用交给 torch.compile 的函数。第一次调用触发捕获和编译。</translation>
    </message>
    <message>
        <source>TorchDynamo evaluates the frame's bytecode symbolically, records tensor operations, and gives the rest back to the interpreter.</source>
        <translation>TorchDynamo 对帧的字节码做符号求值，记录张量运算，其余的交还给解释器。</translation>
    </message>
    <message>
        <source>The operations that were captured, as a graph that can be read, changed and compiled.</source>
        <translation>捕获到的算子组成一张图，可以阅读、修改和编译。</translation>
    </message>
    <message>
        <source>In training, AOTAutograd traces forward and backward into one functional graph, decomposes operations and cuts it in two.</source>
        <translation>训练时，AOTAutograd 把前向和反向追踪到一张函数式的图里，分解算子，再切成两张图。</translation>
    </message>
    <message>
        <source>Complex operations are split into small primitives that a backend handles easily.</source>
        <translation>复杂的算子被拆成后端容易处理的小基元。</translation>
    </message>
    <message>
        <source>TorchInductor turns the graph into loops, decides which share a kernel, and plans memory.</source>
        <translation>TorchInductor 把图变成循环，决定哪些循环共用一个 kernel，并规划内存。</translation>
    </message>
    <message>
        <source>Kernels are written as source text, compiled, and loaded into the process.</source>
        <translation>生成 kernel 的源代码，编译，再载入进程。</translation>
    </message>
    <message>
        <source>Before compiled code runs, its guards are checked. All hold: it is reused. One fails: the function is compiled again, or runs in eager.</source>
        <translation>运行编译好的代码之前要检查 guard。全部成立就复用；有一条失败，就重新编译，或退回 eager 运行。</translation>
    </message>
    <message>
        <source>Shapes, dtypes and Python state that the captured graph took for granted.</source>
        <translation>捕获的图当作前提的 shape、dtype 和 Python 状态。</translation>
    </message>
    <message>
        <source>print, a branch on a tensor's value, an unknown call: the graph ends there, the interpreter takes over, and capture resumes behind.</source>
        <translation>print、依赖张量值的分支、不认识的调用：图到此结束，由解释器接手，之后再继续捕获。</translation>
    </message>
    <message>
        <source>The same program both ways, as measured.</source>
        <translation>同一个程序两种运行方式的实测对比。</translation>
    </message>
    <message>
        <source>The compiled kernels run. Fusion makes fewer of them, with less traffic to memory.</source>
        <translation>运行编译好的 kernel。融合减少了 kernel 的数量和访存量。</translation>
    </message>
    <message>
        <source>no: miss</source>
        <translation>否：未命中</translation>
    </message>
    <message>
        <source>yes: hit, reuse</source>
        <translation>是：命中，复用</translation>
    </message>
    <message>
        <source>back to Python</source>
        <translation>回到 Python</translation>
    </message>
    <message>
        <source>Eager mode</source>
        <translation>Eager 模式</translation>
    </message>
    <message>
        <source>dynamic, line by line</source>
        <translation>动态逐行执行</translation>
    </message>
    <message>
        <source>direct to debug, all of Python, no compile</source>
        <translation>直接调试、完整的 Python、无需编译</translation>
    </message>
    <message>
        <source>Python and dispatch at each op, no fusion</source>
        <translation>每个算子都有 Python 和分发开销，不能融合</translation>
    </message>
    <message>
        <source>Compiled mode</source>
        <translation>Compile 模式</translation>
    </message>
    <message>
        <source>capture graphs, compile them, run the result</source>
        <translation>捕获子图，编译，再执行</translation>
    </message>
    <message>
        <source>fusion cuts launches and memory traffic, less Python and dispatch</source>
        <translation>融合减少 kernel launch 和访存，降低 Python 与分发开销</translation>
    </message>
    <message>
        <source>the first call pays for tracing and compiling, and guards must hold</source>
        <translation>首次调用要付出追踪和编译的成本，并且依赖 guard 成立</translation>
    </message>
    <message>
        <source>What a run measures stands here: launches and times, eager and compiled.</source>
        <translation>运行实测的结果显示在这里：eager 与编译的 launch 次数和时间。</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>Launch 次数</translation>
    </message>
    <message>
        <source>Time (median)</source>
        <translation>时间（中位数）</translation>
    </message>
    <message>
        <source>Last compiled call: %1, 1 launch</source>
        <translation>最近一次编译调用：%1，1 次 launch</translation>
    </message>
    <message>
        <source>Last compiled call: %1, %2 launches</source>
        <translation>最近一次编译调用：%1，%2 次 launch</translation>
    </message>
    <message>
        <source>eager</source>
        <translation>eager</translation>
    </message>
    <message>
        <source>compiled</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>Compiling: %1</source>
        <translation>编译用时：%1</translation>
    </message>
    <message>
        <source>Guard check: %1</source>
        <translation>guard 检查：%1</translation>
    </message>
    <message>
        <source>%1× faster</source>
        <translation>快 %1 倍</translation>
    </message>
    <message>
        <source>%1× slower</source>
        <translation>慢 %1 倍</translation>
    </message>
</context>
<context>
    <name>TraceFile</name>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>%1 is no trace of Strata.</source>
        <translation>%1 不是 Strata 的 trace。</translation>
    </message>
    <message>
        <source>%1 was written by a newer Strata (trace version %2).</source>
        <translation>%1 由更新版本的 Strata 写成（trace 版本 %2）。</translation>
    </message>
    <message>
        <source>%1 is damaged at byte %2; what stands before is shown.</source>
        <translation>%1 在第 %2 字节处损坏；已显示损坏之前的内容。</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>print writes to the outside world, which a graph cannot.</source>
        <translation>print 会向外界输出，图做不到这一点。</translation>
    </message>
    <message>
        <source>Print outside the compiled function, or after it has run.</source>
        <translation>把 print 移到被编译的函数之外，或在它运行之后再打印。</translation>
    </message>
    <message>
        <source>torch._dynamo.graph_break() asks for a break here.</source>
        <translation>torch._dynamo.graph_break() 要求在此处中断。</translation>
    </message>
    <message>
        <source>%function is kept out of compilation (torch.compiler.disable).</source>
        <translation>%function 被排除在编译之外（torch.compiler.disable）。</translation>
    </message>
    <message>
        <source>Dynamo does not know how to trace a call of %function.</source>
        <translation>Dynamo 不知道如何追踪对 %function 的调用。</translation>
    </message>
    <message>
        <source>Call it outside the compiled function, or write it with tensor operations.</source>
        <translation>在被编译的函数之外调用它，或改用张量运算来写。</translation>
    </message>
    <message>
        <source>A branch depends on the value of a tensor, which is not known while tracing.</source>
        <translation>分支取决于张量的值，而追踪时并不知道这个值。</translation>
    </message>
    <message>
        <source>Use torch.where to compute both sides, or take the branch out of the compiled function.</source>
        <translation>用 torch.where 计算两边，或把分支移出被编译的函数。</translation>
    </message>
    <message>
        <source>%function turns the value of a tensor into a Python number, which is not known while tracing.</source>
        <translation>%function 把张量的值变成 Python 数，而追踪时并不知道这个值。</translation>
    </message>
    <message>
        <source>Keep the value in a tensor, or read it outside the compiled function.</source>
        <translation>让值留在张量里，或在被编译的函数之外读取。</translation>
    </message>
    <message>
        <source>%op needs the value of a tensor, which is not known while tracing.</source>
        <translation>%op 需要张量的值，而追踪时并不知道这个值。</translation>
    </message>
    <message>
        <source>Whether a value of type %type is true is not known while tracing.</source>
        <translation>追踪时不知道类型为 %type 的值是真是假。</translation>
    </message>
    <message>
        <source>The integer in a value of type %type is not known while tracing.</source>
        <translation>追踪时不知道类型为 %type 的值里的整数。</translation>
    </message>
    <message>
        <source>The type of a value is not known while tracing.</source>
        <translation>追踪时不知道某个值的类型。</translation>
    </message>
    <message>
        <source>isinstance is asked of a value that is not known while tracing.</source>
        <translation>对追踪时未知的值调用了 isinstance。</translation>
    </message>
    <message>
        <source>“in” is asked of a value that is not known while tracing.</source>
        <translation>对追踪时未知的值使用了 “in”。</translation>
    </message>
    <message>
        <source>A value that is not known while tracing is put into a text.</source>
        <translation>把追踪时未知的值格式化进了文本。</translation>
    </message>
    <message>
        <source>Build the text outside the compiled function.</source>
        <translation>在被编译的函数之外拼文本。</translation>
    </message>
    <message>
        <source>The order of values that are not known while tracing is asked for.</source>
        <translation>要对追踪时未知的值排序。</translation>
    </message>
    <message>
        <source>A value of type %type cannot be a key while tracing.</source>
        <translation>追踪时，类型为 %type 的值不能作键。</translation>
    </message>
    <message>
        <source>A dict has keys that are not known while tracing.</source>
        <translation>字典含有追踪时未知的键。</translation>
    </message>
    <message>
        <source>A key is missing: the program raises here.</source>
        <translation>缺少某个键：程序在此抛出异常。</translation>
    </message>
    <message>
        <source>An iterator is exhausted: the program raises here.</source>
        <translation>迭代器已耗尽：程序在此抛出异常。</translation>
    </message>
    <message>
        <source>zip(strict=True) is given iterables of different lengths: the program raises here.</source>
        <translation>zip(strict=True) 的各个参数长度不同：程序在此抛出异常。</translation>
    </message>
    <message>
        <source>The number of values to unpack does not match: the program raises here.</source>
        <translation>解包的个数不匹配：程序在此抛出异常。</translation>
    </message>
    <message>
        <source>The program raises an exception here.</source>
        <translation>程序在此抛出异常。</translation>
    </message>
    <message>
        <source>The arguments do not fit %function: the program raises here.</source>
        <translation>参数与 %function 不匹配：程序在此抛出异常。</translation>
    </message>
    <message>
        <source>The local variable %name has no value here.</source>
        <translation>局部变量 %name 在此还没有值。</translation>
    </message>
    <message>
        <source>The global name %name is not defined.</source>
        <translation>全局名 %name 没有定义。</translation>
    </message>
    <message>
        <source>%type has no attribute %name: the program raises here.</source>
        <translation>%type 没有属性 %name：程序在此抛出异常。</translation>
    </message>
    <message>
        <source>The attribute %name of a value of type %type is not known while tracing.</source>
        <translation>追踪时不知道类型为 %type 的值的属性 %name。</translation>
    </message>
    <message>
        <source>An element of a value of type %type is not known while tracing.</source>
        <translation>追踪时不知道类型为 %type 的值的某个元素。</translation>
    </message>
    <message>
        <source>Operator %operator on a value of type %left cannot be traced.</source>
        <translation>无法追踪对类型为 %left 的值使用的运算符 %operator。</translation>
    </message>
    <message>
        <source>A loop runs over a value of type %type, which Dynamo cannot iterate while tracing.</source>
        <translation>循环遍历类型为 %type 的值，Dynamo 追踪时无法迭代它。</translation>
    </message>
    <message>
        <source>A loop runs over a dimension whose size is dynamic.</source>
        <translation>循环遍历了大小为动态的维度。</translation>
    </message>
    <message>
        <source>Loop over a fixed size, or use tensor operations in place of the loop.</source>
        <translation>遍历固定的大小，或用张量运算代替循环。</translation>
    </message>
    <message>
        <source>A slice has bounds that cannot be traced.</source>
        <translation>切片的边界无法追踪。</translation>
    </message>
    <message>
        <source>A value of type %type cannot be an argument of a node of the graph.</source>
        <translation>类型为 %type 的值不能作图中节点的参数。</translation>
    </message>
    <message>
        <source>An operation gave a value of type %type, which the graph cannot hold.</source>
        <translation>算子返回了类型为 %type 的值，图里放不下。</translation>
    </message>
    <message>
        <source>%function fails on these shapes and dtypes: %error.</source>
        <translation>%function 在这些 shape 和 dtype 上失败：%error。</translation>
    </message>
    <message>
        <source>The program fails here while it is traced: %error.</source>
        <translation>程序在追踪时于此处出错：%error。</translation>
    </message>
    <message>
        <source>Dynamo does not trace the tensor method %name.</source>
        <translation>Dynamo 不追踪张量方法 %name。</translation>
    </message>
    <message>
        <source>Use the function of the same name in torch, if there is one.</source>
        <translation>如果 torch 里有同名函数，请改用它。</translation>
    </message>
    <message>
        <source>Dynamo does not trace the tensor attribute %name.</source>
        <translation>Dynamo 不追踪张量属性 %name。</translation>
    </message>
    <message>
        <source>super().%name cannot be traced.</source>
        <translation>无法追踪 super().%name。</translation>
    </message>
    <message>
        <source>The attribute %name is computed by a descriptor, which is not traced.</source>
        <translation>属性 %name 由描述符计算，不追踪。</translation>
    </message>
    <message>
        <source>An object of class %type is made, which is not traced.</source>
        <translation>创建了 %type 类的对象，不追踪。</translation>
    </message>
    <message>
        <source>Make the object outside the compiled function.</source>
        <translation>在被编译的函数之外创建对象。</translation>
    </message>
    <message>
        <source>%function is a generator, which is not traced.</source>
        <translation>%function 是生成器，不追踪。</translation>
    </message>
    <message>
        <source>Return a list, or loop outside the compiled function.</source>
        <translation>改为返回列表，或在被编译的函数之外循环。</translation>
    </message>
    <message>
        <source>“with” on an object of type %type is not traced.</source>
        <translation>对类型为 %type 的对象使用 “with”，不追踪。</translation>
    </message>
    <message>
        <source>Enter the context outside the compiled function.</source>
        <translation>在被编译的函数之外进入上下文。</translation>
    </message>
    <message>
        <source>%name is imported inside the function.</source>
        <translation>在函数内部导入了 %name。</translation>
    </message>
    <message>
        <source>Import at the top of the file.</source>
        <translation>请在文件开头导入。</translation>
    </message>
    <message>
        <source>An inlined function shares the variable %name with its surroundings.</source>
        <translation>被内联的函数与外层共用变量 %name。</translation>
    </message>
    <message>
        <source>The function writes the variable %name of the function around it.</source>
        <translation>函数写入了外层函数的变量 %name。</translation>
    </message>
    <message>
        <source>An inlined function writes the global %name of another module.</source>
        <translation>被内联的函数写入了另一个模块的全局变量 %name。</translation>
    </message>
    <message>
        <source>The global %name belongs to a module that is not known.</source>
        <translation>全局变量 %name 属于未知的模块。</translation>
    </message>
    <message>
        <source>The attribute %name of an object of type %type is written, which is not traced.</source>
        <translation>写入了类型为 %type 的对象的属性 %name，不追踪。</translation>
    </message>
    <message>
        <source>The attribute %name of an nn.Module is written, which is not traced.</source>
        <translation>写入了 nn.Module 的属性 %name，不追踪。</translation>
    </message>
    <message>
        <source>Keep such state in a buffer, or change it outside the compiled function.</source>
        <translation>把这样的状态放进 buffer，或在被编译的函数之外修改。</translation>
    </message>
    <message>
        <source>%type has hooks, which are not traced.</source>
        <translation>%type 带有 hook，不追踪。</translation>
    </message>
    <message>
        <source>forward was replaced on one instance of %type.</source>
        <translation>%type 的某个实例上的 forward 被替换了。</translation>
    </message>
    <message>
        <source>A default argument of type %type cannot be traced.</source>
        <translation>无法追踪类型为 %type 的默认参数。</translation>
    </message>
    <message>
        <source>Calls are nested too deeply to inline %function.</source>
        <translation>调用嵌套过深，无法内联 %function。</translation>
    </message>
    <message>
        <source>Dynamo does not trace the bytecode instruction %opcode.</source>
        <translation>Dynamo 不追踪字节码指令 %opcode。</translation>
    </message>
    <message>
        <source>The frame holds no tensor operation: there is nothing to compile.</source>
        <translation>这个帧里没有张量运算：没有可编译的内容。</translation>
    </message>
    <message>
        <source>Tracing had to start again too often.</source>
        <translation>追踪重新开始的次数过多。</translation>
    </message>
    <message>
        <source>Tracing took too many steps: a loop in it is too long.</source>
        <translation>追踪的步数过多：其中有循环太长。</translation>
    </message>
    <message>
        <source>Loop outside the compiled function, or over fewer elements.</source>
        <translation>在被编译的函数之外循环，或减少循环次数。</translation>
    </message>
    <message>
        <source>A graph break inside a try or with block cannot be resumed, so the whole frame runs in the interpreter: %reason</source>
        <translation>try 或 with 块内的 graph break 无法恢复，所以整个帧在解释器中运行：%reason</translation>
    </message>
    <message>
        <source>Take what breaks the graph out of the block.</source>
        <translation>把引起中断的代码移出这个块。</translation>
    </message>
    <message>
        <source>After a graph break at %opcode the frame cannot be resumed, so it runs in the interpreter: %reason</source>
        <translation>在 %opcode 处中断后无法恢复这个帧，所以它在解释器中运行：%reason</translation>
    </message>
    <message>
        <source>The graph was captured, but its backend cannot compile it, so it runs in eager: %reason</source>
        <translation>图已捕获，但后端无法编译，所以以 eager 运行：%reason</translation>
    </message>
    <message>
        <source>AOTAutograd does not know %target.</source>
        <translation>AOTAutograd 不认识 %target。</translation>
    </message>
    <message>
        <source>%target has no form in primitive operations.</source>
        <translation>%target 没有基元形式。</translation>
    </message>
    <message>
        <source>Inductor has no lowering for %target.</source>
        <translation>Inductor 没有 %target 的 lowering。</translation>
    </message>
    <message>
        <source>The input %input is neither a tensor nor a number.</source>
        <translation>输入 %input 既不是张量也不是数。</translation>
    </message>
    <message>
        <source>An output is a list of tensors that the graph cannot return.</source>
        <translation>有一个输出是张量列表，图无法返回。</translation>
    </message>
    <message>
        <source>A tensor that tracing has not seen is used: %tensor.</source>
        <translation>用到了追踪时没见过的张量：%tensor。</translation>
    </message>
    <message>
        <source>A view of shape %shape has no known base.</source>
        <translation>形状为 %shape 的视图找不到它的 base。</translation>
    </message>
    <message>
        <source>An operation reads memory that it overwrites at other places.</source>
        <translation>某个算子会读取它在别处覆盖的内存。</translation>
    </message>
    <message>
        <source>The strides of a tensor that is written in place changed while tracing.</source>
        <translation>被原地写入的张量在追踪时改变了步长。</translation>
    </message>
    <message>
        <source>Writing through a view made by %view has no functional form.</source>
        <translation>通过 %view 得到的视图写入，没有函数式形式。</translation>
    </message>
    <message>
        <source>%op has no form that leaves its input alone.</source>
        <translation>%op 没有不改动输入的形式。</translation>
    </message>
    <message>
        <source>%op changes the shape or the strides of a tensor in place.</source>
        <translation>%op 原地改变了张量的形状或步长。</translation>
    </message>
    <message>
        <source>%op writes to a tensor that the function holds as a constant.</source>
        <translation>%op 写入了函数作为常量持有的张量。</translation>
    </message>
    <message>
        <source>A tensor that the function holds as a constant requires a gradient: %tensor.</source>
        <translation>函数作为常量持有的张量需要梯度：%tensor。</translation>
    </message>
    <message>
        <source>The input %input is written, and the input %other shares its memory.</source>
        <translation>输入 %input 被写入，而输入 %other 与它共用内存。</translation>
    </message>
    <message>
        <source>%op gives a view of an argument other than its first.</source>
        <translation>%op 返回的是第一个参数以外的视图。</translation>
    </message>
    <message>
        <source>An output needs a gradient that its base does not have.</source>
        <translation>某个输出需要梯度，而它的 base 没有。</translation>
    </message>
    <message>
        <source>The autograd history changed while tracing, at %node.</source>
        <translation>追踪时 autograd 历史在 %node 处发生了变化。</translation>
    </message>
    <message>
        <source>No cut between forward and backward exists.</source>
        <translation>前向与反向之间不存在割。</translation>
    </message>
    <message>
        <source>The cut between forward and backward leaves out %node.</source>
        <translation>前向与反向之间的割漏掉了 %node。</translation>
    </message>
    <message>
        <source>The captured function fails on these inputs: %message.</source>
        <translation>捕获的函数在这些输入上失败：%message。</translation>
    </message>
    <message>
        <source>source</source>
        <translation>源码</translation>
    </message>
    <message>
        <source>bytecode</source>
        <translation>字节码</translation>
    </message>
    <message>
        <source>transformed bytecode</source>
        <translation>改写后的字节码</translation>
    </message>
    <message>
        <source>guards</source>
        <translation>Guard</translation>
    </message>
    <message>
        <source>FX graph</source>
        <translation>FX 图</translation>
    </message>
    <message>
        <source>joint graph</source>
        <translation>联合图</translation>
    </message>
    <message>
        <source>forward graph</source>
        <translation>前向图</translation>
    </message>
    <message>
        <source>backward graph</source>
        <translation>反向图</translation>
    </message>
    <message>
        <source>prims graph</source>
        <translation>Prims 图</translation>
    </message>
    <message>
        <source>loops before fusion</source>
        <translation>融合前的循环</translation>
    </message>
    <message>
        <source>loops after fusion</source>
        <translation>融合后的循环</translation>
    </message>
    <message>
        <source>memory plan</source>
        <translation>内存规划</translation>
    </message>
    <message>
        <source>wrapper</source>
        <translation>Wrapper</translation>
    </message>
    <message>
        <source>C++</source>
        <translation>C++</translation>
    </message>
    <message>
        <source>LLVM IR</source>
        <translation>LLVM IR</translation>
    </message>
    <message>
        <source>assembly</source>
        <translation>汇编</translation>
    </message>
    <message>
        <source>CUDA</source>
        <translation>CUDA</translation>
    </message>
    <message>
        <source>PTX</source>
        <translation>PTX</translation>
    </message>
    <message>
        <source>Triton</source>
        <translation>Triton</translation>
    </message>
    <message>
        <source>autograd tape</source>
        <translation>Autograd tape</translation>
    </message>
    <message>
        <source>Dynamo capture</source>
        <translation>Dynamo 捕获</translation>
    </message>
    <message>
        <source>building guards</source>
        <translation>生成 guard</translation>
    </message>
    <message>
        <source>partition</source>
        <translation>切分</translation>
    </message>
    <message>
        <source>prims</source>
        <translation>Prims</translation>
    </message>
    <message>
        <source>lowering to loops</source>
        <translation>降为循环</translation>
    </message>
    <message>
        <source>fusion and scheduling</source>
        <translation>融合与调度</translation>
    </message>
    <message>
        <source>code generation</source>
        <translation>代码生成</translation>
    </message>
    <message>
        <source>Clang</source>
        <translation>Clang</translation>
    </message>
    <message>
        <source>LLVM optimiser</source>
        <translation>LLVM 优化器</translation>
    </message>
    <message>
        <source>linking</source>
        <translation>链接</translation>
    </message>
    <message>
        <source>The second reads what the first has just computed.</source>
        <translation>后者读取前者刚算出的结果。</translation>
    </message>
    <message>
        <source>Both read the same buffer: together they read it once.</source>
        <translation>两者读同一个 buffer：合在一起只读一次。</translation>
    </message>
    <message>
        <source>The result of the reduction is used at once, in the same kernel.</source>
        <translation>归约的结果在同一个 kernel 里立即使用。</translation>
    </message>
    <message>
        <source>The values are computed while they are being reduced.</source>
        <translation>一边计算，一边归约。</translation>
    </message>
    <message>
        <source>%op is a library call; nothing is fused into it.</source>
        <translation>%op 是库调用，不与任何东西融合。</translation>
    </message>
    <message>
        <source>The loops run over different ranges: %a and %b.</source>
        <translation>两个循环的范围不同：%a 与 %b。</translation>
    </message>
    <message>
        <source>%buffer is read at other positions than the same iteration writes.</source>
        <translation>读取 %buffer 的位置与同一次迭代写入的位置不同。</translation>
    </message>
    <message>
        <source>A third kernel stands between them: fusing would make a cycle.</source>
        <translation>两者之间隔着第三个 kernel：融合会形成环。</translation>
    </message>
    <message>
        <source>on the cheapest cut between forward and backward</source>
        <translation>位于前向与反向之间代价最小的割上</translation>
    </message>
    <message>
        <source>an input, which is kept anyway</source>
        <translation>是输入，反正会保留</translation>
    </message>
    <message>
        <source>an output, which is kept anyway</source>
        <translation>是输出，反正会保留</translation>
    </message>
    <message>
        <source>cheap to compute again in backward</source>
        <translation>在反向中重算很便宜</translation>
    </message>
    <message>
        <source>fuses into the backward kernel that needs it</source>
        <translation>能融合进需要它的反向 kernel</translation>
    </message>
    <message>
        <source>must not be computed again</source>
        <translation>不允许重算</translation>
    </message>
    <message>
        <source>random: computing it again would give other numbers</source>
        <translation>随机算子：重算会得到不同的数</translation>
    </message>
    <message>
        <source>a view, which costs nothing</source>
        <translation>是视图，没有代价</translation>
    </message>
    <message>
        <source>a size</source>
        <translation>是尺寸</translation>
    </message>
    <message>
        <source>an operation that is not done twice</source>
        <translation>是不重复执行的算子</translation>
    </message>
    <message>
        <source>backward needs it in memory anyway</source>
        <translation>反向反正需要它在内存里</translation>
    </message>
    <message>
        <source>too much work to do twice</source>
        <translation>计算量太大，不宜重算</translation>
    </message>
    <message>
        <source>a reduction, too much work to do twice</source>
        <translation>是归约，计算量太大，不宜重算</translation>
    </message>
    <message>
        <source>the tensor's type, dtype, device, sizes, strides and requires_grad are as traced</source>
        <translation>张量的类型、dtype、设备、尺寸、步长和 requires_grad 与追踪时相同</translation>
    </message>
    <message>
        <source>the value has the traced type</source>
        <translation>值的类型与追踪时相同</translation>
    </message>
    <message>
        <source>it is the very same object</source>
        <translation>是同一个对象</translation>
    </message>
    <message>
        <source>it is the same class</source>
        <translation>是同一个类</translation>
    </message>
    <message>
        <source>it is the same function</source>
        <translation>是同一个函数</translation>
    </message>
    <message>
        <source>the function has the traced code</source>
        <translation>函数的代码与追踪时相同</translation>
    </message>
    <message>
        <source>it is the same module</source>
        <translation>是同一个模块</translation>
    </message>
    <message>
        <source>it is the same nn.Module, in the same mode</source>
        <translation>是同一个 nn.Module，模式也相同</translation>
    </message>
    <message>
        <source>it is the same built-in</source>
        <translation>是同一个内建函数</translation>
    </message>
    <message>
        <source>the constant is the traced one</source>
        <translation>常量与追踪时相同</translation>
    </message>
    <message>
        <source>the value equals the traced one</source>
        <translation>值与追踪时相等</translation>
    </message>
    <message>
        <source>the flag is as traced</source>
        <translation>标志与追踪时相同</translation>
    </message>
    <message>
        <source>it is None</source>
        <translation>是 None</translation>
    </message>
    <message>
        <source>it is not None</source>
        <translation>不是 None</translation>
    </message>
    <message>
        <source>the sequence has the traced length</source>
        <translation>序列的长度与追踪时相同</translation>
    </message>
    <message>
        <source>the iterator has the traced length left</source>
        <translation>迭代器剩余的长度与追踪时相同</translation>
    </message>
    <message>
        <source>the range iterator stands where it stood</source>
        <translation>range 迭代器的位置与追踪时相同</translation>
    </message>
    <message>
        <source>the dict has the traced keys, in order</source>
        <translation>字典的键及其顺序与追踪时相同</translation>
    </message>
    <message>
        <source>the dict was not changed</source>
        <translation>字典没有改动</translation>
    </message>
    <message>
        <source>the dict has, or lacks, the key as traced</source>
        <translation>字典有无该键与追踪时相同</translation>
    </message>
    <message>
        <source>the dict lacks the key, as traced</source>
        <translation>与追踪时一样，字典没有该键</translation>
    </message>
    <message>
        <source>the set has, or lacks, the element as traced</source>
        <translation>集合有无该元素与追踪时相同</translation>
    </message>
    <message>
        <source>the mapping has the traced keys</source>
        <translation>映射的键与追踪时相同</translation>
    </message>
    <message>
        <source>the attribute is there, or missing, as traced</source>
        <translation>属性的有无与追踪时相同</translation>
    </message>
    <message>
        <source>no instance attribute hides the class's</source>
        <translation>没有实例属性遮住类的属性</translation>
    </message>
    <message>
        <source>the object is still alive</source>
        <translation>对象仍然存活</translation>
    </message>
    <message>
        <source>two inputs are the same tensor, as traced</source>
        <translation>与追踪时一样，两个输入是同一个张量</translation>
    </message>
    <message>
        <source>inputs share memory as traced</source>
        <translation>输入共用内存的情况与追踪时相同</translation>
    </message>
    <message>
        <source>the symbolic sizes satisfy what tracing relied on</source>
        <translation>符号尺寸满足追踪所依赖的条件</translation>
    </message>
    <message>
        <source>gradients are recorded, or not, as traced</source>
        <translation>是否记录梯度与追踪时相同</translation>
    </message>
    <message>
        <source>the deterministic-algorithms switch is as traced</source>
        <translation>确定性算法开关与追踪时相同</translation>
    </message>
    <message>
        <source>torch function overrides are as traced</source>
        <translation>torch function 覆盖与追踪时相同</translation>
    </message>
    <message>
        <source>the training state is as traced</source>
        <translation>训练状态与追踪时相同</translation>
    </message>
    <message>
        <source>the default device is as traced</source>
        <translation>默认设备与追踪时相同</translation>
    </message>
    <message>
        <source>grad mode, autocast and other global switches are as traced</source>
        <translation>梯度模式、autocast 等全局开关与追踪时相同</translation>
    </message>
    <message>
        <source>the backend is the one compiled for</source>
        <translation>后端与编译时相同</translation>
    </message>
    <message>
        <source>the module still has no hooks</source>
        <translation>模块仍然没有 hook</translation>
    </message>
    <message>
        <source>the tensor's memory is at the traced place</source>
        <translation>张量的内存位置与追踪时相同</translation>
    </message>
    <message>
        <source>first call</source>
        <translation>第一次调用</translation>
    </message>
    <message>
        <source>a guard failed</source>
        <translation>有 guard 失败</translation>
    </message>
    <message>
        <source>resumed after a graph break</source>
        <translation>graph break 之后恢复</translation>
    </message>
    <message>
        <source>compiled</source>
        <translation>已编译</translation>
    </message>
    <message>
        <source>ended by a graph break</source>
        <translation>以 graph break 结束</translation>
    </message>
    <message>
        <source>skipped: this frame runs in the interpreter</source>
        <translation>跳过：这个帧在解释器中运行</translation>
    </message>
    <message>
        <source>captured, but runs in eager</source>
        <translation>已捕获，但以 eager 运行</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>hit: compiled code reused</source>
        <translation>命中：复用编译好的代码</translation>
    </message>
    <message>
        <source>miss: nothing compiled yet</source>
        <translation>未命中：还没有编译过</translation>
    </message>
    <message>
        <source>recompile: a guard failed</source>
        <translation>重编译：有 guard 失败</translation>
    </message>
    <message>
        <source>limit reached: runs in eager from now on</source>
        <translation>已达上限：此后以 eager 运行</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>ended by an exception</source>
        <translation>因异常结束</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>ran out of memory</source>
        <translation>内存耗尽</translation>
    </message>
    <message>
        <source>left by itself</source>
        <translation>自行退出</translation>
    </message>
    <message>
        <source>inference</source>
        <translation>推理</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Dispatcher</source>
        <translation>Dispatcher</translation>
    </message>
    <message>
        <source>Eager kernels</source>
        <translation>Eager kernel</translation>
    </message>
    <message>
        <source>Autograd tape</source>
        <translation>Autograd tape</translation>
    </message>
    <message>
        <source>TorchDynamo</source>
        <translation>TorchDynamo</translation>
    </message>
    <message>
        <source>Guards</source>
        <translation>Guard</translation>
    </message>
    <message>
        <source>AOTAutograd</source>
        <translation>AOTAutograd</translation>
    </message>
    <message>
        <source>Prims</source>
        <translation>Prims</translation>
    </message>
    <message>
        <source>TorchInductor</source>
        <translation>TorchInductor</translation>
    </message>
    <message>
        <source>Code generation</source>
        <translation>代码生成</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Compiled kernels</source>
        <translation>编译后的 kernel</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>A size that the frame computes cannot be handed back to it.</source>
        <translation>帧计算出的某个尺寸无法交还给它。</translation>
    </message>
    <message>
        <source>A value of type %type that lives across the break cannot be rebuilt.</source>
        <translation>跨越中断的类型为 %type 的值无法重建。</translation>
    </message>
    <message>
        <source>A graph break in a function with closure variables cannot be resumed, so the frame runs in the interpreter.</source>
        <translation>带闭包变量的函数里的 graph break 无法恢复，所以这个帧在解释器中运行。</translation>
    </message>
    <message>
        <source>A graph break inside a loop cannot be resumed, so the frame runs in the interpreter.</source>
        <translation>循环内的 graph break 无法恢复，所以这个帧在解释器中运行。</translation>
    </message>
    <message>
        <source>The rest of the frame cannot be resumed: %reason</source>
        <translation>帧的其余部分无法恢复：%reason</translation>
    </message>
    <message>
        <source>The names of the arguments cannot be kept.</source>
        <translation>无法保留参数的名字。</translation>
    </message>
    <message>
        <source>The order of the closure variables cannot be kept.</source>
        <translation>无法保留闭包变量的顺序。</translation>
    </message>
    <message>
        <source>inputs that were different objects still are</source>
        <translation>原本不同的输入对象仍然不同</translation>
    </message>
</context>
<context>
    <name>strata::panes::BytecodePane</name>
    <message>
        <source>The bytecode of each compiled frame</source>
        <translation>每个被编译栈帧的字节码</translation>
    </message>
    <message>
        <source>No frame has been compiled. Call a function that went through torch.compile.</source>
        <translation>还没有编译任何栈帧。请调用经过 torch.compile 的函数。</translation>
    </message>
    <message>
        <source>Bytecode</source>
        <translation>字节码</translation>
    </message>
</context>
<context>
    <name>strata::panes::ConsolePane</name>
    <message>
        <source>What the program prints</source>
        <translation>程序的输出</translation>
    </message>
    <message>
        <source>Nothing has run yet.</source>
        <translation>还没有运行任何程序。</translation>
    </message>
    <message>
        <source>The program has printed nothing so far.</source>
        <translation>程序目前没有输出。</translation>
    </message>
    <message>
        <source>Console</source>
        <translation>控制台</translation>
    </message>
</context>
<context>
    <name>strata::panes::DispatchTable</name>
    <message>
        <source>Operation</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Dispatch keys</source>
        <translation>分发键</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>Launch</translation>
    </message>
</context>
<context>
    <name>strata::panes::EagerPane</name>
    <message>
        <source>Eager</source>
        <translation>Eager</translation>
    </message>
    <message>
        <source>Every operation, one after another</source>
        <translation>逐个执行的每一个算子</translation>
    </message>
    <message>
        <source>Run a program to see what the dispatcher is asked for, and the autograd tape that is left behind.</source>
        <translation>运行一个程序，就能看到 dispatcher 收到的每个请求，以及留下的 autograd tape。</translation>
    </message>
    <message>
        <source>The run has not come this far yet.</source>
        <translation>运行还没有到这一步。</translation>
    </message>
    <message>
        <source>No operation went through the dispatcher in this run.</source>
        <translation>这次运行没有算子经过 dispatcher。</translation>
    </message>
    <message>
        <source>The autograd tape</source>
        <translation>Autograd tape</translation>
    </message>
    <message>
        <source>Nothing is recorded: no operation so far has an input that requires a gradient.</source>
        <translation>没有记录：到目前为止，没有算子的输入需要梯度。</translation>
    </message>
    <message>
        <source>Follow the run</source>
        <translation>跟随运行</translation>
    </message>
    <message>
        <source>Tape %1</source>
        <translation>Tape %1</translation>
    </message>
    <message>
        <source>%1 dispatched</source>
        <translation>分发 %1 次</translation>
    </message>
    <message>
        <source>%1 kernels launched</source>
        <translation>launch %1 个 kernel</translation>
    </message>
    <message>
        <source>%1 nodes on the tape</source>
        <translation>tape 上有 %1 个节点</translation>
    </message>
    <message>
        <source>the first %1 nodes of this tape are left out</source>
        <translation>省略了这条 tape 的前 %1 个节点</translation>
    </message>
    <message>
        <source>Keeps for backward:</source>
        <translation>为反向保存：</translation>
    </message>
    <message>
        <source>Recorded at %1:%2</source>
        <translation>记录于 %1:%2</translation>
    </message>
    <message>
        <source>Ran as number %1 of backward, in %2.</source>
        <translation>反向中第 %1 个执行，用时 %2。</translation>
    </message>
    <message>
        <source>Which graph of the tape to show</source>
        <translation>选择要显示的 tape</translation>
    </message>
    <message>
        <source>Dispatch log</source>
        <translation>分发日志</translation>
    </message>
    <message>
        <source>Autograd tape</source>
        <translation>Autograd tape</translation>
    </message>
    <message>
        <source>recorded by forward</source>
        <translation>前向时记录</translation>
    </message>
    <message>
        <source>run by backward</source>
        <translation>反向已执行</translation>
    </message>
    <message>
        <source>gradient of a leaf</source>
        <translation>叶子张量的梯度</translation>
    </message>
</context>
<context>
    <name>strata::panes::FusionTable</name>
    <message>
        <source>fused</source>
        <translation>已融合</translation>
    </message>
    <message>
        <source>kept apart</source>
        <translation>未融合</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>决定</translation>
    </message>
    <message>
        <source>First loop</source>
        <translation>第一个循环</translation>
    </message>
    <message>
        <source>Second loop</source>
        <translation>第二个循环</translation>
    </message>
    <message>
        <source>Traffic saved</source>
        <translation>节省的访存</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
</context>
<context>
    <name>strata::panes::FxPane</name>
    <message>
        <source>FX graph</source>
        <translation>FX 图</translation>
    </message>
    <message>
        <source>1 operation</source>
        <translation>1 个算子</translation>
    </message>
    <message>
        <source>%1 operations</source>
        <translation>%1 个算子</translation>
    </message>
    <message>
        <source>1 input</source>
        <translation>1 个输入</translation>
    </message>
    <message>
        <source>%1 inputs</source>
        <translation>%1 个输入</translation>
    </message>
    <message>
        <source>captured in %1</source>
        <translation>捕获用时 %1</translation>
    </message>
    <message>
        <source>The graph that Dynamo captures</source>
        <translation>Dynamo 捕获的图</translation>
    </message>
    <message>
        <source>Run a program that calls torch.compile to see its operations as a graph.</source>
        <translation>运行一个使用 torch.compile 的程序，它的算子会在这里显示为一张图。</translation>
    </message>
    <message>
        <source>The run has not come this far yet.</source>
        <translation>运行还没有到这一步。</translation>
    </message>
    <message>
        <source>Nothing was captured: %1</source>
        <translation>没有捕获到任何图：%1</translation>
    </message>
    <message>
        <source>This program compiled nothing: no function given to torch.compile was called, or the backend was eager only.</source>
        <translation>这个程序没有编译任何东西：没有调用交给 torch.compile 的函数，或者只用 eager 运行。</translation>
    </message>
</context>
<context>
    <name>strata::panes::GraphPane</name>
    <message>
        <source>Follow the run</source>
        <translation>跟随运行</translation>
    </message>
    <message>
        <source>Which graph to show</source>
        <translation>选择要显示的图</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Show all (F)</source>
        <translation>显示全部（F）</translation>
    </message>
    <message>
        <source>The text beside the graph</source>
        <translation>在图旁显示文本</translation>
    </message>
</context>
<context>
    <name>strata::panes::GuardsPane</name>
    <message>
        <source>not checked yet</source>
        <translation>尚未检查</translation>
    </message>
    <message>
        <source>checked %1×: %2 hit, %3 failed; median %4</source>
        <translation>检查 %1 次：命中 %2，失败 %3；中位数 %4</translation>
    </message>
    <message>
        <source>failed %1×</source>
        <translation>失败 %1 次</translation>
    </message>
    <message>
        <source>What each compiled graph relies on</source>
        <translation>每个编译后的图所依赖的条件</translation>
    </message>
    <message>
        <source>Nothing has been compiled, so there is nothing to guard.</source>
        <translation>还没有编译任何东西，因此没有 guard。</translation>
    </message>
    <message>
        <source>Guard</source>
        <translation>Guard</translation>
    </message>
    <message>
        <source>On</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Guards</source>
        <translation>Guards（守卫）</translation>
    </message>
</context>
<context>
    <name>strata::panes::JointPane</name>
    <message>
        <source>Joint graph</source>
        <translation>联合图</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>again</source>
        <translation>重算</translation>
    </message>
    <message>
        <source>1 operation</source>
        <translation>1 个算子</translation>
    </message>
    <message>
        <source>%1 operations</source>
        <translation>%1 个算子</translation>
    </message>
    <message>
        <source>%1 saved (%2)</source>
        <translation>保存 %1 个（%2）</translation>
    </message>
    <message>
        <source>%1 computed again</source>
        <translation>重算 %1 个</translation>
    </message>
    <message>
        <source>Saved for backward.</source>
        <translation>为反向保存。</translation>
    </message>
    <message>
        <source>Saved for backward: %1.</source>
        <translation>为反向保存：%1。</translation>
    </message>
    <message>
        <source>Computed again in backward.</source>
        <translation>在反向中重新计算。</translation>
    </message>
    <message>
        <source>Computed again in backward: %1.</source>
        <translation>在反向中重新计算：%1。</translation>
    </message>
    <message>
        <source>Forward and backward in one graph</source>
        <translation>前向与反向合在一张图里</translation>
    </message>
    <message>
        <source>Run a compiled program to see AOTAutograd's graphs.</source>
        <translation>运行一个编译的程序，就能看到 AOTAutograd 的图。</translation>
    </message>
    <message>
        <source>The run has not come this far yet.</source>
        <translation>运行还没有到这一步。</translation>
    </message>
    <message>
        <source>The backend “eager” runs the captured graph as it is: AOTAutograd has no part in it.</source>
        <translation>后端 “eager” 直接运行捕获的图，不经过 AOTAutograd。</translation>
    </message>
    <message>
        <source>AOTAutograd was given no graph in this run.</source>
        <translation>这次运行没有图交给 AOTAutograd。</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>saved for backward</source>
        <translation>为反向保存</translation>
    </message>
    <message>
        <source>computed again in backward</source>
        <translation>在反向中重算</translation>
    </message>
    <message>
        <source>parameter</source>
        <translation>参数</translation>
    </message>
</context>
<context>
    <name>strata::panes::KernelsPane</name>
    <message>
        <source>The generated code: C++, LLVM IR, assembly</source>
        <translation>生成的代码：C++、LLVM IR、汇编</translation>
    </message>
    <message>
        <source>No kernel has been generated. The backend inductor makes them; eager and aot_eager do not.</source>
        <translation>还没有生成 kernel。后端 inductor 会生成；eager 和 aot_eager 不会。</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernels</translation>
    </message>
</context>
<context>
    <name>strata::panes::LaunchesPane</name>
    <message>
        <source>Kernel launches of the whole program</source>
        <translation>整个程序的 kernel 启动次数</translation>
    </message>
    <message>
        <source>Kernel launches of this run</source>
        <translation>本次运行的 kernel 启动次数</translation>
    </message>
    <message>
        <source>eager</source>
        <translation>eager</translation>
    </message>
    <message>
        <source>compiled</source>
        <translation>compiled</translation>
    </message>
    <message>
        <source>Median time of a compiled function's call</source>
        <translation>被编译函数单次调用耗时（中位数）</translation>
    </message>
    <message>
        <source>Time in kernels of this run</source>
        <translation>本次运行的 kernel 时间</translation>
    </message>
    <message>
        <source>Kernel launches, eager against compiled</source>
        <translation>kernel 启动：eager 与 compiled 对比</translation>
    </message>
    <message>
        <source>Nothing has run yet.</source>
        <translation>还没有运行任何程序。</translation>
    </message>
    <message>
        <source>No kernel has been launched so far.</source>
        <translation>目前还没有启动 kernel。</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>启动（launch）</translation>
    </message>
</context>
<context>
    <name>strata::panes::LoopsPane</name>
    <message>
        <source>Loops</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>library call: %1</source>
        <translation>库调用：%1</translation>
    </message>
    <message>
        <source>%1 loops → %2 kernels</source>
        <translation>%1 个循环 → %2 个 kernel</translation>
    </message>
    <message>
        <source>%1 loops</source>
        <translation>%1 个循环</translation>
    </message>
    <message>
        <source>%1 of %2 pairs fused</source>
        <translation>%2 对中融合了 %1 对</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Runs over</source>
        <translation>遍历范围</translation>
    </message>
    <message>
        <source>Reduces over</source>
        <translation>归约范围</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Body</source>
        <translation>循环体</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源码</translation>
    </message>
    <message>
        <source>Loops before and after fusion</source>
        <translation>融合前后的循环</translation>
    </message>
    <message>
        <source>Run a compiled program to see its operations as loops, and how they fuse into kernels.</source>
        <translation>运行一个编译的程序，就能看到它的算子变成循环，以及循环如何融合成 kernel。</translation>
    </message>
    <message>
        <source>The run has not come this far yet.</source>
        <translation>运行还没有到这一步。</translation>
    </message>
    <message>
        <source>The backend “%1” stops before this stage.</source>
        <translation>后端 “%1” 不会到达这一阶段。</translation>
    </message>
    <message>
        <source>Inductor was given no graph in this run.</source>
        <translation>这次运行没有图交给 Inductor。</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>融合前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>融合后</translation>
    </message>
    <message>
        <source>Fusion decisions</source>
        <translation>融合决定</translation>
    </message>
    <message>
        <source>pointwise loop</source>
        <translation>逐点循环</translation>
    </message>
    <message>
        <source>reduction</source>
        <translation>归约</translation>
    </message>
    <message>
        <source>library call</source>
        <translation>库调用</translation>
    </message>
    <message>
        <source>fused kernel</source>
        <translation>融合后的 kernel</translation>
    </message>
</context>
<context>
    <name>strata::panes::MapPane</name>
    <message>
        <source>Map</source>
        <translation>总图</translation>
    </message>
</context>
<context>
    <name>strata::panes::PrimsPane</name>
    <message>
        <source>Prims</source>
        <translation>Prims</translation>
    </message>
    <message>
        <source>1 primitive</source>
        <translation>1 个基元</translation>
    </message>
    <message>
        <source>%1 primitives</source>
        <translation>%1 个基元</translation>
    </message>
    <message>
        <source>1 library call</source>
        <translation>1 次库调用</translation>
    </message>
    <message>
        <source>%1 library calls</source>
        <translation>%1 次库调用</translation>
    </message>
    <message>
        <source>The graph in primitive operations</source>
        <translation>由基元组成的图</translation>
    </message>
    <message>
        <source>Run a compiled program to see its operations split into primitives.</source>
        <translation>运行一个编译的程序，就能看到它的算子被拆成基元。</translation>
    </message>
    <message>
        <source>The run has not come this far yet.</source>
        <translation>运行还没有到这一步。</translation>
    </message>
    <message>
        <source>The backend “%1” stops before this stage.</source>
        <translation>后端 “%1” 不会到达这一阶段。</translation>
    </message>
    <message>
        <source>No graph was lowered to primitives in this run.</source>
        <translation>这次运行没有图被降到基元。</translation>
    </message>
</context>
<context>
    <name>strata::panes::ProblemsPane</name>
    <message>
        <source>Graph break</source>
        <translation>图断裂</translation>
    </message>
    <message>
        <source>Graph breaks, frames that stay in eager, exceptions</source>
        <translation>图断裂、留在 eager 的栈帧、异常</translation>
    </message>
    <message>
        <source>Nothing has run yet.</source>
        <translation>还没有运行任何程序。</translation>
    </message>
    <message>
        <source>None so far.</source>
        <translation>目前没有。</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
</context>
<context>
    <name>strata::panes::SourcePane</name>
    <message>
        <source>Graph break: %1</source>
        <translation>图断裂：%1</translation>
    </message>
    <message>
        <source>Not compiled: %1</source>
        <translation>未编译：%1</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源代码</translation>
    </message>
</context>
<context>
    <name>strata::shell::MainWindow</name>
    <message>
        <source>About Strata</source>
        <translation>关于 Strata</translation>
    </message>
    <message>
        <source>Strata shows every layer of the PyTorch compile stack at work. What is on screen was measured, compiled and run.</source>
        <translation>Strata 展示 PyTorch 编译栈每一层的实际工作。屏幕上的一切都是实测、实编译、实运行的结果。</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>The engine ended with exit code %1 before the program was over. The next run starts afresh.</source>
        <translation>引擎在程序结束前以退出码 %1 终止。下一次运行会重新开始。</translation>
    </message>
    <message>
        <source>The program brought its engine down (%1). Nothing else is affected; the next run starts afresh.</source>
        <translation>程序使引擎崩溃（%1）。其他部分不受影响；下一次运行会重新开始。</translation>
    </message>
    <message>
        <source>The program did not react to the interrupt and was killed.</source>
        <translation>程序没有响应中断，已被强制结束。</translation>
    </message>
    <message>
        <source>The program was stopped.</source>
        <translation>程序已停止。</translation>
    </message>
    <message>
        <source>The engine could not be started: %1</source>
        <translation>无法启动引擎：%1</translation>
    </message>
    <message>
        <source>The program asked for more memory than a run may have.</source>
        <translation>程序申请的内存超过了一次运行的上限。</translation>
    </message>
    <message>
        <source>Compiling %1 %2</source>
        <translation>正在编译 %1 %2</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>%1 compiles · %2 graph breaks · %3 cache hits · %4 eager launches · %5 compiled launches</source>
        <translation>编译 %1 · 图断裂 %2 · 缓存命中 %3 · eager 启动 %4 · compiled 启动 %5</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Save program</source>
        <translation>保存程序</translation>
    </message>
    <message>
        <source>Save program as…</source>
        <translation>程序另存为…</translation>
    </message>
    <message>
        <source>Save trace…</source>
        <translation>保存 trace…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>After the run, run the program twice more, eager and compiled, with only launches recorded</source>
        <translation>运行结束后再运行两遍（eager 与 compiled），只记录 launch</translation>
    </message>
    <message>
        <source>Reset layout</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>as the program says</source>
        <translation>按程序指定</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>总览</translation>
    </message>
    <message>
        <source>Capture</source>
        <translation>捕获</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Compare eager and compiled</source>
        <translation>对比 eager 与 compiled</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的修改</translation>
    </message>
    <message>
        <source>%1 has changes that are not saved. Discard them?</source>
        <translation>%1 有未保存的修改。要放弃吗？</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Programs and traces (*.py *.strata)</source>
        <translation>程序与 trace (*.py *.strata)</translation>
    </message>
    <message>
        <source>Python (*.py)</source>
        <translation>Python (*.py)</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>Save trace</source>
        <translation>保存 trace</translation>
    </message>
    <message>
        <source>Strata traces (*.strata)</source>
        <translation>Strata trace (*.strata)</translation>
    </message>
</context>
<context>
    <name>strata::shell::TransportBar</name>
    <message>
        <source>To the start</source>
        <translation>回到开头</translation>
    </message>
    <message>
        <source>One step back</source>
        <translation>后退一步</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>播放或暂停</translation>
    </message>
    <message>
        <source>One step forward</source>
        <translation>前进一步</translation>
    </message>
    <message>
        <source>To the end</source>
        <translation>到结尾</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
</context>
</TS>
